import type { ExhibitSeries, FilledSeries, TrainingCurve } from '../../../preload/contract';
import type { TreeMeasure } from '../configuration-metrics';
import { curvePositions } from '../curves';
import type { MeasuredSeeds, SeedsBootstrap } from './seeds';

type Points = FilledSeries['points'];
type Learning = Extract<ExhibitSeries['curve'], { kind: 'learning' }>;

/**
 * The measure over the first n nodes of the trees; a tree that stopped early keeps its last value. Goes on after every
 * point, so that a caller may let others work in between.
 */
export function* nodePoints(
  seeds: MeasuredSeeds,
  measure: TreeMeasure,
  bootstrap: SeedsBootstrap,
): Generator<void, Points> {
  // Rows of a measure stand in the order in which its problems were measured.
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

/**
 * The mean over the seeds at every step that all of them tell of, between the lowest and the highest seed. By samples
 * where the line asks for it and every curve tells them; a step's samples are those of the first seed.
 */
export function learningPoints(curves: readonly TrainingCurve[], { x }: Pick<Learning, 'x'>): Points {
  const [first, ...others] = curves;
  if (first === undefined) return [];
  if (x === 'samples' && curves.some(({ samples }) => samples === null)) return [];
  return first.steps.flatMap((step, at) => {
    const values = [first, ...others].map(({ steps, values: own }) => own[steps.lastIndexOf(step)]);
    const known = values.filter((value) => value !== undefined && Number.isFinite(value)) as number[];
    // A step that a crashed training logged twice is told by its last line.
    if (known.length < curves.length || first.steps.lastIndexOf(step) !== at) return [];
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    const where = x === 'samples' ? (first.samples?.[at] ?? step) : step;
    return [{ x: where, y: mean, low: Math.min(...known), high: Math.max(...known) }];
  });
}
