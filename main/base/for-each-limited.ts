import type { Result } from './result';

/**
 * Runs `run` for the items, begun in their order, at most `limit` at a time. The first failure, or `signal`, begins no more.
 * Gives that failure once none is running any more, or null.
 */
export async function forEachLimited<T, E>(
  items: readonly T[],
  limit: number,
  signal: { readonly aborted: boolean },
  run: (item: T) => Promise<Result<unknown, E>>,
): Promise<E | null> {
  let failure: { readonly error: E } | null = null;
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    while (failure === null && !signal.aborted) {
      const next = left.next();
      if (next.done) return;
      const done = await run(next.value);
      if (!done.ok) failure ??= { error: done.error };
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return (failure as { readonly error: E } | null)?.error ?? null;
}
