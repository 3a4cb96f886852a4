import { setMaxListeners } from 'node:events';

/**
 * Runs all jobs at once. The first failure cancels the others, and is thrown when none is running any more; so does
 * `signal`.
 */
export async function runConcurrently<T>(
  signal: AbortSignal,
  jobs: readonly ((signal: AbortSignal) => Promise<T>)[],
): Promise<readonly T[]> {
  // Not AbortSignal.any: it would stay registered with `signal` until the training ends.
  const own = new AbortController();
  // Each request in progress listens to it.
  setMaxListeners(0, own.signal);
  const abort = (): void => own.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const failures: unknown[] = [];
  try {
    const results = await Promise.all(
      jobs.map((job) =>
        job(own.signal).catch((error: unknown) => {
          failures.push(error);
          abort();
          return null as T;
        }),
      ),
    );
    if (failures.length > 0) throw failures[0];
    return results;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
