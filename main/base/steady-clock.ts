/**
 * A clock, in milliseconds since 1970, that never goes back: durations between two of its answers are never negative, and
 * what is due later becomes due, also where the system's clock is set back. It follows that clock forward, as after a
 * sleep of the computer. `wallMs`: the system's clock; `runningMs`: one that is never set, from any start.
 */
export function steadyClock(wallMs: () => number, runningMs: () => number): () => number {
  let aheadMs = Number.NEGATIVE_INFINITY;
  return () => {
    const running = runningMs();
    aheadMs = Math.max(aheadMs, wallMs() - running);
    // In whole milliseconds, as dates are.
    return Math.round(running + aheadMs);
  };
}
