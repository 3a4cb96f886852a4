import type { ExperimentView } from '../../preload/contract/experiment';
import { trainingMethodOf } from '../../preload/contract/plans/index';
import type { TrainingCurve } from '../../preload/contract/training';
import { compareKeys, curveKey, quantityLabel } from '../text/training-curves';
import { configurationColor } from '../theme/index';
import type { Points } from '../widgets/chart-scale';
import { meanOf } from '../widgets/curve-mean';
import type { ChartLine } from '../widgets/line-chart';
import { type Smoothing, smoothed } from '../widgets/smoothing';

/** A quantity of one part of the training that can be plotted. */
export type Quantity = {
  readonly id: string;
  readonly key: string;
  readonly part: TrainingCurve['part'];
  readonly label: string;
  readonly unit: 'share' | 'number';
};
export type Axis = 'steps' | 'samples';

/** Loaded curves by training. */
export type KnownCurves = ReadonlyMap<string, readonly TrainingCurve[]>;

/**
 * The quantities of these curves; Pass@1 first, held-out evaluation before training, but not where it was measured once: a
 * point is no curve.
 */
export function quantitiesOf(curves: KnownCurves, heldOut: number): readonly Quantity[] {
  const quantities = new Map<string, Quantity>();
  const withLine = new Set<string>();
  for (const { key, part, steps } of [...curves.values()].flat()) {
    const id = `${part} ${key}`;
    if (steps.length > 1) withLine.add(id);
    if (quantities.has(id)) continue;
    const known = curveKey(key);
    quantities.set(id, { id, key, part, unit: known.unit, label: quantityLabel(known, part, heldOut) });
  }
  const isPass = ({ key }: Quantity): number => (key === 'pass@1' ? 0 : 1);
  const isPoint = ({ id }: Quantity): number => (withLine.has(id) ? 0 : 1);
  const isTrain = ({ part }: Quantity): number => (part === 'evaluation' ? 0 : 1);
  return [...quantities.values()].sort(
    (a, b) =>
      isPass(a) - isPass(b) ||
      isPoint(a) - isPoint(b) ||
      isTrain(a) - isTrain(b) ||
      compareKeys(a.key, b.key),
  );
}

/**
 * One line per row: the mean over seeds of the mean over agents, with a band from the lowest to the highest seed. Rows
 * without a value are left out.
 */
export function learningLines(
  { order, trainings }: Pick<ExperimentView, 'order' | 'trainings'>,
  curves: KnownCurves,
  options: { readonly quantity: Quantity; readonly axis: Axis; readonly smoothing: Smoothing },
): readonly ChartLine[] {
  return order.rows.flatMap(({ label, method }, position): ChartLine[] => {
    const seeds = trainings.flatMap((training): Points[] => {
      if (training.label !== label || training.trainingId === null) return [];
      const points = teamPoints(curves.get(training.trainingId) ?? [], options);
      return points === null ? [] : [points];
    });
    const [only, ...others] = seeds;
    if (only === undefined) return [];
    const shape = trainingMethodOf(method).isControl ? ('square' as const) : ('circle' as const);
    const named = { id: label, label, color: configurationColor(position), shape };
    if (others.length === 0) return [{ ...named, points: only, raw: null, band: null, counts: null }];
    const mean = meanOf(seeds);
    const isWhole = mean.counts.every((count) => count === seeds.length);
    return [{ ...named, points: mean, raw: null, band: mean, counts: isWhole ? null : mean.counts }];
  });
}

/** The mean over the agents of one training; null: no such curve yet. */
function teamPoints(
  curves: readonly TrainingCurve[],
  {
    quantity,
    axis,
    smoothing,
  }: { readonly quantity: Quantity; readonly axis: Axis; readonly smoothing: Smoothing },
): Points | null {
  const agents = curves.flatMap((curve): Points[] => {
    if (curve.key !== quantity.key || curve.part !== quantity.part || curve.steps.length === 0) return [];
    const xs = axis === 'steps' ? curve.steps : curve.samples;
    return xs === null ? [] : [{ xs, ys: smoothed(curve.steps, curve.values, smoothing) }];
  });
  const [only, ...others] = agents;
  if (only === undefined) return null;
  return others.length === 0 ? only : meanOf(agents);
}

/** The largest x of all lines. */
export function endOf(lines: readonly ChartLine[]): number {
  return Math.max(0, ...lines.map(({ points }) => points.xs.at(-1) ?? 0));
}
