import type { SpeedRow } from '../../../preload/contract';

/** One answered request, in milliseconds. */
export type TimedAnswer = {
  /** null: the server answers in one piece. */
  readonly firstTokenMs: number | null;
  readonly tokens: number;
};

/** `wallMs` from the first request of the row to the last answer; a request that failed is its reason. */
export function speedRow(
  concurrency: number,
  answers: readonly (TimedAnswer | string)[],
  wallMs: number,
): SpeedRow {
  const good = answers.filter((answer) => typeof answer !== 'string');
  const tokens = good.reduce((sum, answer) => sum + answer.tokens, 0);
  const first = good
    .flatMap(({ firstTokenMs }) => (firstTokenMs === null ? [] : [firstTokenMs]))
    .sort((a, b) => a - b);
  return {
    concurrency,
    requests: answers.length,
    failures: answers.length - good.length,
    failureReason: mostFrequent(answers.filter((answer) => typeof answer === 'string')),
    tokensPerSecond: wallMs > 0 ? (tokens * 1_000) / wallMs : 0,
    firstTokenMs: first.length === 0 ? null : { median: quantile(first, 0.5), p95: quantile(first, 0.95) },
  };
}

/** The first of equals; null: there are none. */
function mostFrequent(texts: readonly string[]): string | null {
  const countOf = (text: string): number => texts.filter((other) => other === text).length;
  return texts.reduce<string | null>(
    (best, text) => (best === null || countOf(text) > countOf(best) ? text : best),
    null,
  );
}

/** Of sorted values, straight lines between neighbours (R's type 7). */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}
