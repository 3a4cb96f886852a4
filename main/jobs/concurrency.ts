import type { KeyedQueue } from '../base';

/** Runs `work` alone for all these keys. */
export function runForAll<T>(
  queue: Pick<KeyedQueue, 'run'>,
  keys: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // All keys are queued at once, so two calls that share keys are in the same order everywhere: no deadlock.
  let result: Promise<T> | null = null;
  let remaining = keys.length;
  let release: () => void = () => undefined;
  const allHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waiting = keys.map((key) =>
    queue.run(key, async () => {
      remaining -= 1;
      if (remaining === 0) release();
      await allHeld;
      result ??= work();
      // Only waits for the end: the caller gets the rejection from `result`.
      await result.catch(() => undefined);
    }),
  );
  return Promise.all(waiting).then(() => result ?? work());
}

/**
 * Shares work among callers: it runs once at a time, and callers during a run share the next run, which starts after
 * their call.
 */
export function coalesced<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    const run = work().finally(() => {
      if (current === run) current = null;
    });
    current = run;
    return run;
  };
  return () => {
    if (current === null) return begin();
    next ??= current
      // The callers of the current run handle its rejection.
      .catch(() => undefined)
      .then(() => {
        next = null;
        return begin();
      });
    return next;
  };
}
