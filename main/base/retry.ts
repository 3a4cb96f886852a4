/** How often something that failed is tried again, and after which wait. */
export type RetryPolicy<Cause extends string> = {
  /** Most retries by cause; Infinity: until it succeeds. */
  readonly most: Readonly<Record<Cause, number>>;
  /** Before the first retry; each further one waits twice as long, up to the longest. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
};

export type Retry<Cause extends string> = {
  readonly cause: Cause;
  /** Which of the allowed retries it is, from 1. */
  readonly number: number;
  readonly most: number;
  readonly waitMs: number;
};

/** The next retry after `made` earlier ones for this cause; null: no more are allowed. */
export function nextRetry<Cause extends string>(
  { most, firstWaitMs, longestWaitMs }: RetryPolicy<Cause>,
  cause: Cause,
  made: number,
): Retry<Cause> | null {
  if (made >= most[cause]) return null;
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** made);
  return { cause, number: made + 1, most: most[cause], waitMs };
}

/** e.g. "starts again in 10 s (retry 2 of 3)" */
export function retryText({ number, most, waitMs }: Retry<string>): string {
  return `starts again in ${Math.round(waitMs / 1_000)} s (retry ${number} of ${most})`;
}
