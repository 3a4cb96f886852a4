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
import type { TreeUse } from './run-metrics';
import { treeRows } from './seed-rows';
import type { TwoLevelBootstrap } from './two-level-bootstrap';

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
  bootstrap: Bootstrap,
  overSeeds: TwoLevelBootstrap,
): Curve[] {
  const rows = metrics.curves[measure];
  const longest = rows[0]?.length ?? 0;
  if (longest === 0) return [];
  const meanAt = (values: Float64Array, n: number): Estimate => {
    const bySeed = measure === 'pass@k' ? null : treeRows(metrics, measure, n);
    return bySeed === null ? bootstrap.mean(values) : overSeeds.mean(bySeed);
  };
  const valuesAt = (n: number): Float64Array => Float64Array.from(rows, (row) => row[n - 1] as number);
  const points = estimates(meanAt, curvePositions(longest), valuesAt);
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
  bootstrap: Bootstrap,
): Curve[] {
  if (grid.length === 0 || metrics.trees.length === 0 || mostUsed(metrics, axis) === null) return [];
  const points = estimates(
    (values) => bootstrap.mean(values),
    grid,
    (budget) =>
      Float64Array.from(metrics.trees, (trees) => {
        let sum = 0;
        for (const tree of trees) sum += valueWithin(tree, measure, axis, budget);
        return sum / trees.length;
      }),
  );
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

function estimates(
  meanAt: (values: Float64Array, position: number) => Estimate,
  positions: readonly number[],
  valuesAt: (position: number) => Float64Array,
): Curve['points'] {
  let last: { values: Float64Array; point: Curve['points'][number] } | null = null;
  return positions.map((n) => {
    const values = valuesAt(n);
    const same = last?.values.every((value, i) => value === values[i]) ? last.point : null;
    // A step on which no problem changes needs no new interval; most steps of a long curve are like that.
    const point = { ...(same ?? withExactEnds(meanAt(values, n), values.length)), n };
    last = { values, point };
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
