import type { Grouping, MetricName, Pair } from '../../preload/contract';
import { MAX_ALL_DETAIL_PAIRS, SIGNIFICANCE_LEVEL } from '../../preload/contract/plans';
import type { Bootstrap } from './bootstrap';
import { groupLetters } from './compact-letters';
import type { ConfigurationMetrics } from './configuration-metrics';
import {
  type Intervals,
  type PairedDifference,
  type PairOfConfigurations,
  pairedDifference,
} from './paired-difference';
import { holm } from './paired-tests';
import { detectableDifference, detectableOverSeeds, problemsNeeded } from './power';
import type { TwoLevelBootstrap } from './two-level-bootstrap';

/**
 * Compared between configurations; passing only the public tests is no success, so Pass@N (public) is not among them.
 */
export const COMPARED = ['pass@1(mcts)', 'pass@1', 'pass@n'] as const satisfies MetricName[];

/**
 * With more configurations than this, only the differences from the first are tested: thousands of pairs would take
 * minutes, and after the correction for all of them hardly any would be significant.
 */
export const MAX_ALL_PAIRS = 30;

/** The pairs that are also compared in parts of the problems and at equal budgets; none of too many configurations. */
export function detailPairs<C>(
  configurations: readonly C[],
): Array<{ readonly first: C; readonly second: C }> {
  if (configurations.length > MAX_ALL_PAIRS) return [];
  const seconds = configurations.length > MAX_ALL_DETAIL_PAIRS ? configurations.slice(0, 1) : configurations;
  return seconds.flatMap((second, at) => configurations.slice(at + 1).map((first) => ({ first, second })));
}

/** Pairs of configurations, which is the number of p-values of a metric that are corrected together. */
export function pairCount(configurations: number): number {
  if (configurations > MAX_ALL_PAIRS) return configurations - 1;
  return (configurations * (configurations - 1)) / 2;
}

/** Pairs that `comparePairs` compares, over all metrics. */
export function comparisonCount(configurations: number): number {
  return COMPARED.length * pairCount(configurations);
}

/** Problems that are finished in every configuration; only these are compared. */
export function commonProblems(configurations: readonly ConfigurationMetrics[]): string[] {
  const [first, ...others] = configurations;
  const sets = others.map((other) => new Set(other.done));
  return first?.done.filter((id) => sets.every((set) => set.has(id))) ?? [];
}

/** Problems that all runs of all configurations are to search. */
export function plannedProblems(configurations: readonly ConfigurationMetrics[]): number {
  const [first, ...others] = configurations.flatMap(({ runs }) =>
    runs.map(({ config }) => new Set(config.problemIds)),
  );
  return [...(first ?? [])].filter((id) => others.every((set) => set.has(id))).length;
}

/**
 * The problems that differences may count: those that all have finished, or, where no problem is in all of them (studies over
 * different benchmarks), all, of which each pair counts those that both have finished.
 */
export function comparableProblems(configurations: readonly ConfigurationMetrics[]): string[] {
  if (plannedProblems(configurations) > 0) return commonProblems(configurations);
  return [...new Set(configurations.flatMap(({ done }) => done))];
}

/**
 * All pairs, the later configuration minus the earlier one (a baseline is listed first), by metric; of many
 * configurations those with the first. Yields after every pair, so that a caller can let other work run in between;
 * `stepped` is called once per pair (`comparisonCount`).
 */
export function* comparePairs(
  configurations: readonly ConfigurationMetrics[],
  bootstrap: Bootstrap,
  overSeeds: TwoLevelBootstrap,
  stepped: () => void = () => undefined,
): Generator<void, Pair[]> {
  const problems = comparableProblems(configurations);
  const pairs: Pair[] = [];
  for (const metric of COMPARED) {
    const ofMetric: Pair[] = [];
    const seconds = configurations.length > MAX_ALL_PAIRS ? configurations.slice(0, 1) : configurations;
    for (const [i, second] of seconds.entries()) {
      for (const first of configurations.slice(i + 1)) {
        const pair = yield* comparePair(
          metric,
          { first, second },
          problems,
          pairCount(configurations.length),
          { bootstrap, overSeeds },
        );
        if (pair !== null) ofMetric.push(pair);
        stepped();
        yield;
      }
    }
    pairs.push(...corrected(ofMetric));
  }
  return pairs;
}

/** One family of tests with Holm's correction over all of them. */
export function corrected<T extends Pick<Pair, 'separable' | 'test'>>(family: readonly T[]): T[] {
  const ps = holm(family.map(({ test }) => test.p));
  return family.map((pair, at) => {
    const pHolm = ps[at] ?? 1;
    return { ...pair, separable: pHolm < SIGNIFICANCE_LEVEL, test: { ...pair.test, pHolm } };
  });
}

/** Before Holm's correction, which needs all pairs of the metric. */
function* comparePair(
  metric: MetricName,
  sides: PairOfConfigurations,
  problems: readonly string[],
  pairs: number,
  intervals: Intervals,
): Generator<void, Pair | null> {
  const paired = yield* pairedDifference(metric, sides, problems, intervals);
  if (paired === null) return null;
  const { spread, ...found } = paired;
  const level = SIGNIFICANCE_LEVEL / pairs;
  return {
    ...found,
    separable: false,
    test: { ...found.test, pHolm: 1 },
    ...powerOf(found, spread, level),
  };
}

function powerOf(
  found: Omit<PairedDifference, 'spread'>,
  { secondMoment, overSeeds, trainings }: PairedDifference['spread'],
  level: number,
): Pick<Pair, 'detectable' | 'problemsNeeded'> {
  // Without any spread the test says nothing about other problems.
  if (secondMoment === 0) return { detectable: null, problemsNeeded: null };
  // More problems do not make the seeds' part of the spread smaller, so no number of them is known to suffice.
  if (overSeeds || trainings !== null) {
    return { detectable: detectableOverSeeds(found, level, trainings), problemsNeeded: null };
  }
  const spread = { secondMoment, level, verdicts: found.test.kind === 'mcnemar' };
  return {
    detectable: detectableDifference(found.problems, spread),
    problemsNeeded: problemsNeeded(found.difference, spread),
  };
}

/**
 * Compact letter display per metric: configurations that share a letter do not differ significantly. The best comes
 * first. Empty where not all pairs were tested.
 */
export function compactLetters(
  configurations: readonly ConfigurationMetrics[],
  pairs: readonly Pair[],
): Grouping[] {
  if (configurations.length > MAX_ALL_PAIRS) return [];
  const names = configurations.map(({ configuration }) => configuration);
  return COMPARED.flatMap((metric): Grouping[] => {
    const compared = pairs.filter((pair) => pair.metric === metric);
    if (compared.length === 0) return [];
    const lead = new Map(names.map((name) => [name, 0]));
    const significant = new Set<string>();
    const seen = new Set<string>();
    for (const { first, second, difference, separable } of compared) {
      seen.add(first).add(second);
      lead.set(first, (lead.get(first) ?? 0) + difference);
      lead.set(second, (lead.get(second) ?? 0) - difference);
      if (separable) significant.add(JSON.stringify([first, second])).add(JSON.stringify([second, first]));
    }
    // Letters say of any two whether they differ, so they need all pairs.
    if (compared.length < (seen.size * (seen.size - 1)) / 2) return [];
    const best = names
      .filter((name) => seen.has(name))
      .sort((a, b) => {
        const ahead = (lead.get(b) ?? 0) - (lead.get(a) ?? 0);
        return Math.abs(ahead) < 1e-9 ? names.indexOf(a) - names.indexOf(b) : ahead;
      });
    const letters = groupLetters(best, (a, b) => significant.has(JSON.stringify([a, b])));
    const inOrder = names.filter((name) => seen.has(name));
    return [
      {
        metric,
        letters: inOrder.map((configuration) => ({
          configuration,
          letters: letters.get(configuration) ?? '',
        })),
      },
    ];
  });
}
