import type { ExhibitSeries, FilledSeries, TrainingCurve } from '../../../preload/contract';
import type { TreeMeasure } from '../configuration-metrics';
import { curvePositions } from '../curves';
import type { MeasuredSeeds, SeedsBootstrap } from './exhibit-input';

type Points = FilledSeries['points'];
type Learning = Extract<ExhibitSeries['curve'], { kind: 'learning' }>;

/**
 * The measure over the first n nodes of the trees; a tree that stopped early keeps its last value. Yields after every
 * point, so that a caller can let other work run in between.
 */
export function* nodePoints(
  seeds: MeasuredSeeds,
  measure: TreeMeasure,
  bootstrap: SeedsBootstrap,
): Generator<void, Points> {
  // Rows of a measure are in the order of its problems.
  const rows = seeds.map(
    ({ values, curves }) =>
      new Map([...values[measure].keys()].map((id, at) => [id, curves[measure][at] as Float64Array])),
  );
  const longest = Math.min(...seeds.map(({ runs }) => runs[0].config.search.nodes));
  const points: Points = [];
  for (const n of curvePositions(seeds.length === 0 ? 0 : longest)) {
    const values = rows.map((own) => new Map([...own].map(([id, row]) => [id, row[n - 1] as number])));
    const estimate = bootstrap.mean(values);
    if (estimate !== null) {
      points.push({ x: n, y: estimate.value, low: estimate.low, high: estimate.high });
    }
    yield;
  }
  return points;
}

/** What an agent did on held-out problems while it learned, of all curves of its training. */
export function heldOutCurves(
  curves: readonly TrainingCurve[],
  { key, agentId }: Pick<TrainingCurve, 'key' | 'agentId'>,
): TrainingCurve[] {
  return curves.filter(
    (curve) => curve.part === 'evaluation' && curve.key === key && curve.agentId === agentId,
  );
}

/**
 * The mean over the seeds, with the lowest and the highest seed, at those steps of the first seed that lie in the range
 * of all seeds. Agents that learn together are evaluated at the same moments, when an agent may have more updates in
 * one seed than in another. So a seed without an evaluation at a step is interpolated linearly between its neighbouring
 * evaluations. The x axis is samples if the line requests it and every curve has them; a step's samples are those of
 * the first seed.
 */
export function learningPoints(curves: readonly TrainingCurve[], { x }: Pick<Learning, 'x'>): Points {
  const [first] = curves;
  if (first === undefined) return [];
  if (x === 'samples' && curves.some(({ samples }) => samples === null)) return [];
  const lines = curves.map(knownLine);
  return (lines[0] ?? []).flatMap(([step]) => {
    const values = lines.flatMap((line) => valueAt(line, step) ?? []);
    if (values.length < curves.length) return [];
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const position = x === 'samples' ? (first.samples?.[first.steps.lastIndexOf(step)] ?? step) : step;
    return [{ x: position, y: mean, low: Math.min(...values), high: Math.max(...values) }];
  });
}

type KnownLine = ReadonlyArray<readonly [step: number, value: number]>;

/** By step. If a crashed training logged a step twice, the last value counts. */
function knownLine({ steps, values }: TrainingCurve): KnownLine {
  const valueByStep = new Map<number, number>();
  for (const [at, step] of steps.entries()) {
    const value = values[at];
    if (value !== undefined && Number.isFinite(value)) valueByStep.set(step, value);
  }
  return [...valueByStep].sort(([a], [b]) => a - b);
}

/** null: before the first or after the last. */
function valueAt(line: KnownLine, step: number): number | null {
  const next = line.findIndex(([at]) => at >= step);
  const after = line[next];
  if (after === undefined) return null;
  if (after[0] === step) return after[1];
  const before = line[next - 1];
  if (before === undefined) return null;
  return before[1] + ((after[1] - before[1]) * (step - before[0])) / (after[0] - before[0]);
}
