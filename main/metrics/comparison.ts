import type { MetricName, Pair } from '../../preload/contract';
import type { Bootstrap } from './bootstrap';
import type { ConfigurationMetrics } from './configuration-metrics';

/** Compared between configurations; what passes only public tests is no success, so Pass@N (public) is not. */
const COMPARED = ['pass@1(mcts)', 'pass@1', 'pass@n'] as const satisfies MetricName[];

/** Share of studies in which some interval of a metric may miss, when no configurations differ. */
const MISS = 0.05;

/** A pair with what a sentence needs beyond the table. */
export type Comparison = Pair & {
  /** A true difference of this size would be separable in four of five such studies; null where it is unknown. */
  readonly detectable: number | null;
};

/** Pairs of configurations: the intervals of each metric are widened for so many. */
export function pairCount(configurations: number): number {
  return (configurations * (configurations - 1)) / 2;
}

/** Problems that are done in every configuration: only these are compared. */
export function commonProblems(configurations: readonly ConfigurationMetrics[]): string[] {
  const [first, ...others] = configurations;
  const sets = others.map((other) => new Set(other.done));
  return first?.done.filter((id) => sets.every((set) => set.has(id))) ?? [];
}

/** All pairs, the later configuration minus the earlier one (a baseline is listed first), by metric. */
export function compare(configurations: readonly ConfigurationMetrics[], bootstrap: Bootstrap): Comparison[] {
  const problems = commonProblems(configurations);
  const comparisons: Comparison[] = [];
  for (const metric of COMPARED) {
    for (const [i, second] of configurations.entries()) {
      for (const first of configurations.slice(i + 1)) {
        const differences = problems.flatMap((id) => {
          const a = first.values[metric].get(id);
          const b = second.values[metric].get(id);
          return a === undefined || b === undefined ? [] : [a - b];
        });
        if (differences.length === 0) continue;
        const names = { metric, first: first.configuration, second: second.configuration };
        comparisons.push({ ...names, ...judge(differences, pairCount(configurations.length), bootstrap) });
      }
    }
  }
  return comparisons;
}

function judge(differences: readonly number[], pairs: number, bootstrap: Bootstrap) {
  const problems = differences.length;
  const { value: difference, low, high } = bootstrap.mean(differences, MISS / pairs);
  const variance = differences.reduce((sum, each) => sum + (each - difference) ** 2, 0) / (problems - 1);
  const standardError = Math.sqrt(variance / problems);
  const separable = (low > 0 || high < 0) && enoughDiffer(differences, pairs);
  // Half the interval is what chance alone explains; 0.84 standard errors more make it four of five.
  const detectable = standardError > 0 ? (high - low) / 2 + 0.84 * standardError : null;
  return { difference, low, high, problems, separable, detectable };
}

/**
 * A bootstrap of few differing problems is too sure of itself (three that all point one way give an interval without
 * width). When neither configuration is better, m problems that differ all point one way with probability
 * 2 * 0.5^m (sign test); below that no claim can hold.
 */
function enoughDiffer(differences: readonly number[], pairs: number): boolean {
  const differing = differences.filter((each) => each !== 0).length;
  return 2 * 0.5 ** differing <= MISS / pairs;
}
