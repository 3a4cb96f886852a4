import type { Breakdown, MetricName, PartPair } from '../../preload/contract';
import { type ProblemFacts, testedParts } from './breakdowns';
import { COMPARED, comparableProblems, corrected, detailPairs } from './comparison';
import type { ConfigurationMetrics } from './configuration-metrics';
import { type Intervals, type PairOfConfigurations, pairedDifference } from './paired-difference';

/** The tests of one grouping and metric, which are corrected together. */
type Family = {
  readonly by: Breakdown['by'];
  readonly metric: MetricName;
  readonly parts: ReturnType<typeof testedParts>[number]['parts'];
  readonly pairs: readonly PairOfConfigurations[];
};

/**
 * The tests to make of the parts of the problems that all configurations have finished; none of more configurations than a
 * table of differences holds.
 */
export function partFamilies(
  configurations: readonly ConfigurationMetrics[],
  facts: ReadonlyMap<string, ProblemFacts>,
): Family[] {
  const pairs = detailPairs(configurations);
  if (pairs.length === 0) return [];
  return testedParts(comparableProblems(configurations), facts).flatMap((grouping) =>
    COMPARED.map((metric) => ({ ...grouping, metric, pairs })),
  );
}

/** How many tests `comparePartsSteps` makes. */
export function partTestCount(families: readonly Family[]): number {
  return families.reduce((sum, { parts, pairs }) => sum + parts.length * pairs.length, 0);
}

/**
 * The difference of every pair in every part, with Holm's correction over all parts and pairs of a grouping and metric:
 * the chance of any wrong claim in such a table stays below 5 %. Yields after every test.
 */
export function* comparePartsSteps(
  families: readonly Family[],
  intervals: Intervals,
  stepped: () => void = () => undefined,
): Generator<void, PartPair[]> {
  const all: PartPair[] = [];
  for (const { by, metric, parts, pairs } of families) {
    const family: PartPair[] = [];
    for (const pair of pairs) {
      for (const [part, problemIds] of parts) {
        const compared = yield* pairedDifference(metric, pair, problemIds, intervals);
        if (compared !== null) {
          const { spread: _, ...difference } = compared;
          family.push({ by, part, ...difference, separable: false, test: { ...compared.test, pHolm: 1 } });
        }
        stepped();
        yield;
      }
    }
    all.push(...corrected(family));
  }
  return all;
}
