/** How often a failed action is retried, and after which pauses. */
export type RetryPolicy<Cause extends string> = {
  /** By cause; Infinity: until it succeeds. */
  readonly maxRetries: Readonly<Record<Cause, number>>;
  /** Before the first retry; each further one waits twice as long, up to the longest. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
};

export type Retry<Cause extends string> = {
  readonly cause: Cause;
  /** Which of the allowed retries it is, from 1. */
  readonly number: number;
  readonly maxRetries: number;
  readonly waitMs: number;
};

/** The next retry after `made` earlier ones for this cause; null: no more are allowed. */
export function nextRetry<Cause extends string>(
  { maxRetries, firstWaitMs, longestWaitMs }: RetryPolicy<Cause>,
  cause: Cause,
  made: number,
): Retry<Cause> | null {
  if (made >= maxRetries[cause]) return null;
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** made);
  return { cause, number: made + 1, maxRetries: maxRetries[cause], waitMs };
}

/** e.g. "starts again in 10 s (retry 2 of 3)" */
export function retryText({ number, maxRetries, waitMs }: Retry<string>): string {
  return `starts again in ${Math.round(waitMs / 1_000)} s (retry ${number} of ${maxRetries})`;
}
