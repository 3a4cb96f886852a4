import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again until the answer is neither null nor false; its patience is an emergency exit, not a measurement. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null | false> | T | null | false,
  patienceMs = 90_000,
): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (performance.now() > endMs) throw new Error(`Waited ${patienceMs} ms in vain for ${what}`);
    await sleep(10);
  }
}
