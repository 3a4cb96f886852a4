import type { Grouping, MetricName, Pair } from '../../preload/contract';
import type { Bootstrap } from './bootstrap';
import { groupLetters } from './compact-letters';
import type { ConfigurationMetrics } from './configuration-metrics';
import { holm, mcnemarP } from './paired-tests';
import { detectableDifference, problemsNeeded } from './power';
import { haveOwnWeights, seedRows } from './seed-rows';
import { seedsP } from './seeds-test';
import { knownMean, type TwoLevelBootstrap } from './two-level-bootstrap';

/**
 * Compared between configurations; passing only the public tests is no success, so Pass@N (public) is not among them.
 */
const COMPARED = ['pass@1(mcts)', 'pass@1', 'pass@n'] as const satisfies MetricName[];

/** Family-wise error rate: the chance of any claimed difference in a metric if no configurations differ. */
const LEVEL = 0.05;

/**
 * With more configurations than this, only the differences from the first are tested: thousands of pairs would take
 * minutes, and after the correction for all of them hardly any would be significant.
 */
export const MAX_ALL_PAIRS = 30;

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
  const problems = commonProblems(configurations);
  const pairs: Pair[] = [];
  for (const metric of COMPARED) {
    const ofMetric: Pair[] = [];
    const seconds = configurations.length > MAX_ALL_PAIRS ? configurations.slice(0, 1) : configurations;
    for (const [i, second] of seconds.entries()) {
      for (const first of configurations.slice(i + 1)) {
        const pair = yield* comparePair(
          metric,
          first,
          second,
          problems,
          pairCount(configurations.length),
          bootstrap,
          overSeeds,
        );
        if (pair !== null) ofMetric.push(pair);
        stepped();
        yield;
      }
    }
    const corrected = holm(ofMetric.map(({ test }) => test.p));
    for (const [i, pair] of ofMetric.entries()) {
      const pHolm = corrected[i] as number;
      pairs.push({ ...pair, separable: pHolm < LEVEL, test: { ...pair.test, pHolm } });
    }
  }
  return pairs;
}

/** Before Holm's correction, which needs all pairs of the metric. */
function* comparePair(
  metric: MetricName,
  first: ConfigurationMetrics,
  second: ConfigurationMetrics,
  problems: readonly string[],
  pairs: number,
  bootstrap: Bootstrap,
  overSeeds: TwoLevelBootstrap,
): Generator<void, Pair | null> {
  const differences: number[] = [];
  for (const id of problems) {
    const a = first.values[metric].get(id);
    const b = second.values[metric].get(id);
    if (a !== undefined && b !== undefined) differences.push(a - b);
  }
  if (differences.length === 0) return null;
  const bySeed = seedDifferences(metric, first, second, problems);
  const {
    value: difference,
    low,
    high,
  } = bySeed === null ? bootstrap.mean(differences) : overSeeds.mean(bySeed);
  const onlyFirst = differences.filter((each) => each > 0).length;
  const onlySecond = differences.filter((each) => each < 0).length;
  // With one run a side a tree gives one verdict a problem; samples and seeds give rates.
  const verdicts = metric !== 'pass@1' && first.runs.length === 1 && second.runs.length === 1;
  const overProblems = verdicts
    ? mcnemarP(onlyFirst, onlySecond)
    : Math.max(yield* bootstrap.pSteps(differences), smallestPossibleP(onlyFirst + onlySecond));
  // Trainings of one method are one draw each: what all problems of a seed share is not in the test over problems.
  const trained = first.runs.length > 1 && haveOwnWeights(first) && haveOwnWeights(second);
  const p = trained ? Math.max(overProblems, seedsP(bySeed?.map(knownMean) ?? []) ?? 1) : overProblems;
  const secondMoment = differences.reduce((sum, each) => sum + each ** 2, 0) / differences.length;
  const spread = { secondMoment, level: LEVEL / pairs, verdicts };
  return {
    metric,
    first: first.configuration,
    second: second.configuration,
    difference,
    low,
    high,
    problems: differences.length,
    separable: false,
    test: { kind: verdicts ? 'mcnemar' : 'bootstrap', onlyFirst, onlySecond, p, pHolm: 1 },
    // Without any spread the test says nothing about other problems.
    detectable: secondMoment === 0 ? null : detectableDifference(differences.length, spread),
    problemsNeeded: problemsNeeded(difference, spread),
  };
}

/** First minus second by seed and problem; null: they have not the same seeds, or only one. */
function seedDifferences(
  metric: MetricName,
  first: ConfigurationMetrics,
  second: ConfigurationMetrics,
  problems: readonly string[],
): number[][] | null {
  const [ofFirst, ofSecond] = [seedRows(first, metric), seedRows(second, metric)];
  const seedsOf = ({ runs }: ConfigurationMetrics): string => runs.map(({ config }) => config.seed).join();
  if (ofFirst === null || ofSecond === null || seedsOf(first) !== seedsOf(second)) return null;
  const [atFirst, atSecond] = [problemIndices(first, metric), problemIndices(second, metric)];
  const common = problems.filter((id) => atFirst.has(id) && atSecond.has(id));
  return ofFirst.map((own, seed) =>
    common.map((id) => (own[atFirst.get(id) ?? -1] ?? 0) - (ofSecond[seed]?.[atSecond.get(id) ?? -1] ?? 0)),
  );
}

/** By problem, its place in the rows of its seeds. */
function problemIndices({ values }: ConfigurationMetrics, metric: MetricName): ReadonlyMap<string, number> {
  return new Map([...values[metric].keys()].map((id, at) => [id, at]));
}

/**
 * A bootstrap of few differing problems gives p-values that are too small (p = 0 for three equal differences). If
 * neither configuration is better, m differing problems all have the same sign with probability 2 * 0.5^m (sign test);
 * this is the lower bound of the p-value.
 */
function smallestPossibleP(differing: number): number {
  return Math.min(1, 2 * 0.5 ** differing);
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
