import type { MatchedPair } from '../../../preload/contract';
import { comparableProblems, corrected, detailPairs } from '../comparison';
import {
  type ConfigurationMetrics,
  type MeasuredTree,
  SERIES,
  TREE_MEASURES,
} from '../configuration-metrics';
import { type Intervals, type PairOfConfigurations, pairedDifference } from '../paired-difference';
import type { TreeSeries } from '../run-metrics';

type Axis = MatchedPair['axis'];
const AXES: readonly Axis[] = ['tokens', 'gpu-hours'];
/** Independent samples have no tree that could be cut. */
const METRICS = ['pass@1(mcts)', 'pass@n'] as const;

/**
 * All pairs at equal tokens and at equal GPU-hours, corrected over the pairs of a metric and budget. Both count the same
 * problems; the one that uses more is cut at one limit for all its trees, the largest at which it uses no more in all
 * than the other. So the other one keeps its value, and no tree is cut by its own outcome. Yields after every test.
 */
export function* matchedPairSteps(
  configurations: readonly ConfigurationMetrics[],
  intervals: Intervals,
): Generator<void, MatchedPair[]> {
  const all: MatchedPair[] = [];
  const problems = comparableProblems(configurations);
  for (const axis of AXES) {
    const families = new Map<string, MatchedPair[]>(METRICS.map((metric) => [metric, []]));
    for (const sides of detailPairs(configurations)) {
      const equal = equalised(sides, axis, problems);
      yield;
      if (equal === null) continue;
      for (const metric of METRICS) {
        const found = yield* pairedDifference(metric, equal.sides, problems, intervals);
        if (found === null) continue;
        const { spread: _, ...difference } = found;
        families.get(metric)?.push({
          axis,
          ...difference,
          separable: false,
          test: { ...found.test, pHolm: 1 },
          ...equal.facts,
        });
        yield;
      }
    }
    for (const family of families.values()) all.push(...corrected(family));
  }
  return all;
}

type Trees = ReadonlyMap<string, readonly MeasuredTree[]>;

/** null: the use of one of them is not known, or nothing. */
function equalised(
  { first, second }: PairOfConfigurations,
  axis: Axis,
  problems: readonly string[],
): {
  readonly sides: PairOfConfigurations;
  readonly facts: Pick<MatchedPair, 'cut' | 'firstUse' | 'secondUse'>;
} | null {
  const [all, others] = [treesOf(first), treesOf(second)];
  const common = problems.filter((id) => all.has(id) && others.has(id));
  const [ofFirst, ofSecond] = [within(all, common), within(others, common)];
  const [firstUse, secondUse] = [
    meanUse(ofFirst, axis, Number.POSITIVE_INFINITY),
    meanUse(ofSecond, axis, Number.POSITIVE_INFINITY),
  ];
  if (!(firstUse > 0 && secondUse > 0)) return null;
  if (Math.abs(firstUse - secondUse) <= 1e-9 * firstUse) {
    return { sides: { first, second }, facts: { cut: null, firstUse, secondUse } };
  }
  const firstIsDearer = firstUse > secondUse;
  const dearer = firstIsDearer ? first : second;
  const trees = firstIsDearer ? ofFirst : ofSecond;
  const limit = largestLimit(trees, axis, Math.min(firstUse, secondUse));
  const cut = cutAt(dearer, axis, limit);
  const used = meanUse(trees, axis, limit);
  return {
    sides: firstIsDearer ? { first: cut, second } : { first, second: cut },
    facts: {
      cut: { configuration: dearer.configuration, limit },
      firstUse: firstIsDearer ? used : firstUse,
      secondUse: firstIsDearer ? secondUse : used,
    },
  };
}

/** By problem; they are in the order of the problems that count in trees. */
function treesOf({ values, trees }: ConfigurationMetrics): Trees {
  return new Map([...values['pass@n'].keys()].map((id, at) => [id, trees[at] ?? []]));
}

function within(trees: Trees, problems: readonly string[]): ReadonlyArray<readonly MeasuredTree[]> {
  return problems.map((id) => trees.get(id) ?? []);
}

/** Use after each node; empty where it was not requested. */
function useOf({ use }: MeasuredTree, axis: Axis): Float64Array {
  return (axis === 'tokens' ? use.tokens : use.gpuHours) ?? new Float64Array();
}

/** How many nodes end within the limit; sums may be off in the last digit. */
function nodesWithin(used: Float64Array, limit: number): number {
  let [low, high] = [0, used.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((used[middle] ?? 0) <= limit * (1 + 1e-12)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Use of one tree per problem, up to the limit; NaN where it is not known. */
function meanUse(trees: ReadonlyArray<readonly MeasuredTree[]>, axis: Axis, limit: number): number {
  let sum = 0;
  for (const runs of trees) {
    for (const tree of runs) {
      const used = useOf(tree, axis);
      const nodes = limit === Number.POSITIVE_INFINITY ? used.length : nodesWithin(used, limit);
      sum += (used[nodes - 1] ?? 0) / runs.length;
    }
  }
  return sum / trees.length;
}

/** Halvings until two limits differ by less than any node uses. */
const HALVINGS = 52;

/** The largest limit at which the trees use at most `most`: a node of one of them ends there; 0: none does. */
function largestLimit(trees: ReadonlyArray<readonly MeasuredTree[]>, axis: Axis, most: number): number {
  const all = trees.flatMap((runs) => runs.map((tree) => useOf(tree, axis)));
  let [low, high] = [0, Math.max(...all.map((used) => used.at(-1) ?? 0))];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (meanUse(trees, axis, middle) <= most * (1 + 1e-12)) low = middle;
    else high = middle;
  }
  return Math.max(0, ...all.map((used) => used[nodesWithin(used, low) - 1] ?? 0));
}

/** The same with only the nodes of each tree that end within the limit. */
function cutAt(metrics: ConfigurationMetrics, axis: Axis, limit: number): ConfigurationMetrics {
  const trees = metrics.trees.map((runs) =>
    runs.map((tree): MeasuredTree => {
      const nodes = nodesWithin(useOf(tree, axis), limit);
      const series = { ...tree.series };
      for (const measure of TREE_MEASURES)
        series[SERIES[measure]] = kept(tree.series[SERIES[measure]], nodes);
      return { ...tree, series };
    }),
  );
  const ids = [...metrics.values['pass@n'].keys()];
  const valuesOf = (of: keyof Pick<TreeSeries, 'found' | 'chosen'>): ReadonlyMap<string, number> =>
    new Map(
      ids.map((id, at) => {
        const runs = trees[at] ?? [];
        return [id, runs.reduce((sum, { series }) => sum + (series[of].at(-1) ?? 0), 0) / runs.length];
      }),
    );
  const values = { ...metrics.values, 'pass@n': valuesOf('found'), 'pass@1(mcts)': valuesOf('chosen') };
  return { ...metrics, trees, values };
}

/** Stays at its value after this many nodes; 0 after none. */
function kept(series: Float64Array, nodes: number): Float64Array {
  const last = nodes === 0 ? 0 : (series[Math.min(nodes, series.length) - 1] ?? 0);
  return series.map((value, at) => (at < nodes ? value : last));
}
