import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until the answer is neither null nor false; its patience is an emergency exit, not a measurement. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null | false> | T | null | false,
  patienceMs = 90_000,
): Promise<T> {
  const startMs = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    const waitedMs = performance.now() - startMs;
    if (waitedMs > patienceMs) throw new Error(`Waited ${patienceMs} ms in vain for ${what}`);
    // Many questions start processes: what takes longer is asked for less often.
    await sleep(Math.min(Math.max(waitedMs / 10, 10), 50));
  }
}
