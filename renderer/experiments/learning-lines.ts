import type { ExperimentView } from '../../preload/contract/experiment';
import { trainingMethodOf } from '../../preload/contract/plans/index';
import type { TrainingCurve } from '../../preload/contract/training';
import { configurationColor } from '../theme/index';
import type { Points } from '../widgets/chart-scale';
import { meanOf } from '../widgets/curve-mean';
import type { ChartLine } from '../widgets/line-chart';
import { type Smoothing, smoothed } from '../widgets/smoothing';
import { compareKeys, curveKey } from '../text/training-curves';

/** What can be drawn: one quantity of one part. */
export type Quantity = {
  readonly id: string;
  readonly key: string;
  readonly part: TrainingCurve['part'];
  readonly label: string;
  readonly unit: 'share' | 'number';
};
export type Axis = 'steps' | 'samples';

/** Curves by training, as far as they are known. */
export type KnownCurves = ReadonlyMap<string, readonly TrainingCurve[]>;

/** The quantities that the curves have; Pass@1 first, measured apart from the training where it is. */
export function quantitiesOf(curves: KnownCurves): readonly Quantity[] {
  const found = new Map<string, Quantity>();
  for (const { key, part } of [...curves.values()].flat()) {
    const id = `${part} ${key}`;
    if (found.has(id)) continue;
    const { label, unit } = curveKey(key);
    const where = part === 'evaluation' ? ', held out' : '';
    found.set(id, { id, key, part, unit, label: `${label}${where}` });
  }
  const isPass = ({ key }: Quantity): number => (key === 'pass@1' ? 0 : 1);
  const isTrain = ({ part }: Quantity): number => (part === 'evaluation' ? 0 : 1);
  return [...found.values()].sort(
    (a, b) => isPass(a) - isPass(b) || isTrain(a) - isTrain(b) || compareKeys(a.key, b.key),
  );
}

/**
 * A line a row: the mean over its seeds of the mean over its agents, with the lowest and highest seed as its band. Rows
 * without a value are left out.
 */
export function learningLines(
  { order, trainings }: Pick<ExperimentView, 'order' | 'trainings'>,
  curves: KnownCurves,
  options: { readonly quantity: Quantity; readonly axis: Axis; readonly smoothing: Smoothing },
): readonly ChartLine[] {
  return order.rows.flatMap(({ label, method }, position): ChartLine[] => {
    const seeds = trainings.flatMap((one): Points[] => {
      if (one.label !== label || one.trainingId === null) return [];
      const points = teamPoints(curves.get(one.trainingId) ?? [], options);
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

/** The mean over the agents of one training; null: it has no such curve yet. */
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

/** Where the longest line ends. */
export function endOf(lines: readonly ChartLine[]): number {
  return Math.max(0, ...lines.map(({ points }) => points.xs.at(-1) ?? 0));
}
