export type Throttled = {
  /** Runs the work for this key now, or once after the current pause. */
  readonly schedule: (key: string) => void;
  /** Runs pending work at once. */
  readonly flush: (key: string) => void;
  /** Drops pending work. */
  readonly cancel: (key: string) => void;
  readonly dispose: () => void;
};

/** Throttles work by key: at most once per `pauseMs`, and the last request is never lost. */
export function createThrottled(work: (key: string) => void, pauseMs: number): Throttled {
  const pauses = new Map<string, { timer: ReturnType<typeof setTimeout>; again: boolean }>();
  const now = (key: string): void => {
    const timer = setTimeout(() => {
      const again = pauses.get(key)?.again === true;
      pauses.delete(key);
      if (again) now(key);
    }, pauseMs);
    pauses.set(key, { timer, again: false });
    work(key);
  };
  /** True if work was pending; clears it. */
  const takePending = (key: string): boolean => {
    const pause = pauses.get(key);
    if (pause?.again !== true) return false;
    pause.again = false;
    return true;
  };
  return {
    schedule: (key) => {
      const pause = pauses.get(key);
      if (pause === undefined) now(key);
      else pause.again = true;
    },
    flush: (key) => {
      if (takePending(key)) work(key);
    },
    cancel: (key) => void takePending(key),
    dispose: () => {
      for (const { timer } of pauses.values()) clearTimeout(timer);
      pauses.clear();
    },
  };
}
