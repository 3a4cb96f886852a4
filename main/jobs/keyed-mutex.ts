/** Runs work with the same name one at a time, in the order of the calls. */
export function createKeyedMutex(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const run = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, run);
    const forget = () => {
      if (last.get(name) === run) last.delete(name);
    };
    // The caller handles a rejection of `run` itself.
    run.then(forget, forget);
    return run;
  };
}

/** Runs `work` while holding all the names. */
export function runExclusiveForAll<T>(
  runExclusive: <U>(name: string, work: () => Promise<U>) => Promise<U>,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  // All names are queued at once, so two calls that share names are in the same order everywhere: no deadlock.
  let result: Promise<T> | null = null;
  let remaining = names.length;
  let release: () => void = () => undefined;
  const allHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  const waiting = names.map((name) =>
    runExclusive(name, async () => {
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
