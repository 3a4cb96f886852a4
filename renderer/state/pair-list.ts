import type { MetricName, PartPair } from '../../preload/contract/analysis';

/** Longer tables are shown one metric at a time. */
const MAX_PAIRS_AT_ONCE = 30;

type ListedPair = Pick<PartPair, 'metric' | 'test' | 'difference'>;

export type PairList<P extends ListedPair> = {
  /** The metrics to choose from; empty: all pairs are listed. */
  readonly metrics: readonly MetricName[];
  readonly metric: MetricName | null;
  readonly pairs: readonly P[];
};

/**
 * The pairs of a table. Few: all, in main's order. Many: those of one metric, the most significant differences
 * first.
 */
export function listedPairs<P extends ListedPair>(
  pairs: readonly P[],
  preferredMetric: MetricName,
): PairList<P> {
  if (pairs.length <= MAX_PAIRS_AT_ONCE) return { metrics: [], metric: null, pairs };
  const metrics = [...new Set(pairs.map(({ metric }) => metric))];
  const metric = metrics.find((metric) => metric === preferredMetric) ?? metrics[0] ?? null;
  const sorted = pairs
    .filter((pair) => pair.metric === metric)
    .sort((a, b) => a.test.pHolm - b.test.pHolm || Math.abs(b.difference) - Math.abs(a.difference));
  return { metrics, metric, pairs: sorted };
}
