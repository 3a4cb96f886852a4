import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks again until the answer is neither null nor false; its patience is an emergency exit, not a measurement. `seen` says
 * in the error what there was instead.
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null | false> | T | null | false,
  patienceMs = 240_000,
  seen?: () => unknown,
): Promise<T> {
  const startMs = performance.now();
  for (;;) {
    const beganMs = performance.now();
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    const nowMs = performance.now();
    const waitedMs = nowMs - startMs;
    if (waitedMs > patienceMs) throw new Error(`Waited ${patienceMs} ms in vain for ${what}${shownAs(seen)}`);
    // Many questions start processes: what takes longer is asked for less often, from the beginning, and a question that is
    // work itself leaves the processor to what is waited for.
    const restMs = Math.max(10, Math.min(waitedMs / 10, 50), 5 * (nowMs - beganMs));
    await sleep(Math.min(restMs, 500));
  }
}

function shownAs(seen: (() => unknown) | undefined): string {
  return seen === undefined ? '' : `; seen: ${JSON.stringify(seen()).slice(-1_500)}`;
}
