import type { Curve } from '../../preload/contract';
import type { Bootstrap, Estimate } from './bootstrap';
import {
  type ConfigurationMetrics,
  type CurveMeasure,
  type MeasuredTree,
  SERIES,
  type TreeMeasure,
} from './configuration-metrics';
import { withExactEnds } from './exact-rates';
import type { Intervals } from './paired-difference';
import { passAtK } from './pass-at-k';
import type { TreeUse } from './run-metrics';
import { type SeedRows, sampleRows, treeRows } from './seed-rows';

const MAX_CURVE_POINTS = 60;

const NOTHING = new Float64Array();

export const NODE_MEASURES: readonly CurveMeasure[] = ['pass@n', 'pass@n(public)', 'pass@1(mcts)', 'pass@k'];

/** Budgets of a tree other than nodes. */
export type BudgetAxis = Exclude<Curve['axis'], 'nodes'>;

const USE = {
  tokens: 'tokens',
  seconds: 'seconds',
  'gpu-hours': 'gpuHours',
  money: 'money',
} as const satisfies Record<BudgetAxis, keyof TreeUse>;

/** The curve of one configuration over nodes (pass@k: over samples); none without counted problems. */
export function nodeCurve(
  metrics: ConfigurationMetrics,
  measure: CurveMeasure,
  { bootstrap, overSeeds }: Intervals,
): Curve[] {
  const rows = metrics.curves[measure];
  const longest = rows[0]?.length ?? 0;
  if (longest === 0) return [];
  const valuesAt = (n: number): SeedRows => [Float64Array.from(rows, (row) => row[n - 1] as number)];
  const bySeedAt = (n: number): SeedRows | null =>
    measure === 'pass@k'
      ? sampleRows(metrics, ({ samples, passed }) => passAtK(samples, passed, n))
      : treeRows(metrics, measure, n);
  const along = measure === 'pass@k' ? overSeeds.mean.bind(overSeeds) : overSeeds.repeatedMeans();
  const points = estimates(curvePositions(longest), (n) => bySeedAt(n) ?? valuesAt(n), {
    bootstrap,
    overSeeds: along,
  });
  return [{ configuration: metrics.configuration, measure, axis: 'nodes', points }];
}

/**
 * The curve of one configuration over a budget per tree: the value of its nodes up to the last that ends within the
 * budget. `grid` is common to all configurations, so that their curves are comparable. None without counted problems,
 * or if the use is not known.
 */
export function budgetCurve(
  metrics: ConfigurationMetrics,
  {
    measure,
    axis,
    grid,
  }: { readonly measure: TreeMeasure; readonly axis: BudgetAxis; readonly grid: readonly number[] },
  { bootstrap, overSeeds }: Intervals,
): Curve[] {
  if (grid.length === 0 || metrics.trees.length === 0 || mostUsed(metrics, axis) === null) return [];
  const seeds = metrics.runs.length;
  const isKnown = metrics.trees.every((trees) => trees.length === seeds);
  const within = (tree: MeasuredTree | undefined, budget: number): number =>
    tree === undefined ? 0 : valueWithin(tree, measure, axis, budget);
  const meanWithin = (trees: readonly MeasuredTree[], budget: number): number =>
    trees.reduce((sum, tree) => sum + within(tree, budget), 0) / trees.length;
  const rowsAt = (budget: number): SeedRows =>
    isKnown
      ? metrics.runs.map((_, seed) =>
          Float64Array.from(metrics.trees, (trees) => within(trees[seed], budget)),
        )
      : [Float64Array.from(metrics.trees, (trees) => meanWithin(trees, budget))];
  const points = estimates(grid, rowsAt, { bootstrap, overSeeds: overSeeds.repeatedMeans() });
  return [{ configuration: metrics.configuration, measure, axis, points }];
}

/** Budgets in even, round steps up to the use of the largest tree; empty if nothing was used. */
export function budgetGrid(configurations: readonly ConfigurationMetrics[], axis: BudgetAxis): number[] {
  const most = Math.max(0, ...configurations.map((metrics) => mostUsed(metrics, axis) ?? 0));
  if (most === 0) return [];
  const step = roundUp(most / MAX_CURVE_POINTS);
  const steps = Math.ceil(most / step - 1e-9);
  // 3 * 0.1 is a little more than 0.3 in floating point.
  return Array.from({ length: steps }, (_, i) => Number(((i + 1) * step).toPrecision(12)));
}

/** The largest use of one tree; null if that of some tree is not known. */
function mostUsed({ trees }: ConfigurationMetrics, axis: BudgetAxis): number | null {
  let most = 0;
  for (const runs of trees) {
    for (const { use } of runs) {
      const used = use[USE[axis]];
      const all = used?.at(-1) ?? 0;
      if (used === null || Number.isNaN(all)) return null;
      most = Math.max(most, all);
    }
  }
  return most;
}

/** The smallest number of the form 1, 2, 2.5 or 5 times a power of ten that is at least `step`. */
function roundUp(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  for (const factor of [1, 2, 2.5, 5]) if (factor * power >= step * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

function valueWithin({ series, use }: MeasuredTree, measure: TreeMeasure, axis: BudgetAxis, budget: number) {
  const used = use[USE[axis]] ?? NOTHING;
  let [low, high] = [0, used.length];
  // The number of nodes that end within the budget; sums of milliseconds may be off in the last digit.
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((used[middle] as number) <= budget * (1 + 1e-12)) low = middle + 1;
    else high = middle;
  }
  const values = series[SERIES[measure]];
  return low === 0 ? 0 : (values[Math.min(low, values.length) - 1] as number);
}

/** `rowsAt`: the values of the problems, seed by seed; one row: of one seed, or the means over the seeds. */
function estimates(
  positions: readonly number[],
  rowsAt: (position: number) => SeedRows,
  {
    bootstrap,
    overSeeds,
  }: { readonly bootstrap: Bootstrap; readonly overSeeds: (rows: SeedRows) => Estimate },
): Curve['points'] {
  let last: { rows: SeedRows; point: Curve['points'][number] } | null = null;
  return positions.map((n) => {
    const rows = rowsAt(n);
    const [first = NOTHING] = rows;
    const same =
      last?.rows.length === rows.length &&
      last.rows.every((row, seed) => row.every((value, i) => value === rows[seed]?.[i]));
    // A step on which no problem changes needs no new interval; most steps of a long curve are like that.
    const estimate = (): Estimate => (rows.length < 2 ? bootstrap.mean(first) : overSeeds(rows));
    const point = { ...(same && last !== null ? last.point : withExactEnds(estimate(), first.length)), n };
    last = { rows, point };
    return point;
  });
}

/** At most 60 of 1 ... `longest`: both ends, 1 to 10, the powers of ten, and even steps between. */
export function curvePositions(longest: number): number[] {
  if (longest <= MAX_CURVE_POINTS) return Array.from({ length: longest }, (_, i) => i + 1);
  const positions = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, longest]);
  for (let power = 100; power < longest; power *= 10) positions.add(power);
  const steps = MAX_CURVE_POINTS - positions.size;
  for (let i = 1; i <= steps; i++) positions.add(Math.round(10 + ((longest - 10) * i) / (steps + 1)));
  return [...positions].sort((a, b) => a - b);
}
