/** Ticks one after the other, never two at once. */
export type TickLoop = {
  /** Resolves when a tick that began after the call is over; once closed, when the last one is. */
  readonly next: () => Promise<void>;
  /** Does this between two ticks. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
  readonly isOpen: () => boolean;
  /** Begins no further tick; resolves when the last one is over, however it ended. */
  readonly close: () => Promise<void>;
};

/** At most one tick waits: it will see whatever happens until it begins. One that throws rejects for who awaits it. */
export function createTickLoop(tick: () => Promise<void>): TickLoop {
  let open = true;
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  const lastEnded = (): Promise<void> => last.catch(() => undefined);
  return {
    next: () => {
      if (!open) return lastEnded();
      waiting ??= last = lastEnded().then(() => {
        waiting = null;
        return tick();
      });
      return waiting;
    },
    between: (work) => {
      const done = lastEnded().then(work);
      last = done.then(() => undefined);
      last.catch(() => undefined);
      return done;
    },
    isOpen: () => open,
    close: () => {
      open = false;
      return lastEnded();
    },
  };
}
