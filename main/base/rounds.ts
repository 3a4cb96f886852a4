/** Work that is done round after round, never two at once. */
export type Rounds = {
  /** Resolves when a round that began after the call is over; once closed, when the last one is. */
  readonly next: () => Promise<void>;
  /** Does this between two rounds. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
  readonly isOpen: () => boolean;
  /** Begins no further round; resolves when the last one is over, however it ended. */
  readonly close: () => Promise<void>;
};

/** One round waits at most: it will see whatever happens until it begins. A round that throws rejects for who awaits it. */
export function createRounds(round: () => Promise<void>): Rounds {
  let open = true;
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  const settled = (): Promise<void> => last.catch(() => undefined);
  return {
    next: () => {
      if (!open) return last;
      waiting ??= last = settled().then(() => {
        waiting = null;
        return round();
      });
      return waiting;
    },
    between: (work) => {
      const done = settled().then(work);
      last = done.then(() => undefined);
      last.catch(() => undefined);
      return done;
    },
    isOpen: () => open,
    close: () => {
      open = false;
      return settled();
    },
  };
}
