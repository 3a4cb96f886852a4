/** Runs work of the same key one after the other, in the order of the calls; work of different keys side by side. */
export type KeyedQueue = {
  readonly run: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  /** Resolves when all queued work has ended, failed or not. */
  readonly idle: () => Promise<void>;
};

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run: (key, work) => {
      const result = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, result);
      const leave = (): void => {
        if (last.get(key) === result) last.delete(key);
      };
      result.then(leave, leave);
      return result;
    },
    idle: async () => {
      while (last.size > 0) await Promise.allSettled(last.values());
    },
  };
}
