/** Longest total wait for a rate-limited server; a quota of an hour must not hold a study's slot. */
export const PATIENCE_MS = 600_000;
const SHORTEST_PAUSE_MS = 100;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Statuses that say "later", not "no". */
export function asksForPatience(status: number): boolean {
  return status === 429 || status === 503;
}

/**
 * Milliseconds before request number `attempt` (0: the first repetition): what the server asks for (null: nothing),
 * else twice as long each time up to a minute. null: longer than what is `left` of the patience.
 */
export function pauseBefore(attempt: number, retryAfterMs: number | null, left: number): number | null {
  const pause =
    retryAfterMs === null
      ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
      : Math.max(SHORTEST_PAUSE_MS, retryAfterMs);
  return pause <= left ? pause : null;
}
