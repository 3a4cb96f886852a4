export type Throttled = {
  /** Does the work for this key now, or once after the pause when it was done within it. */
  readonly schedule: (key: string) => void;
  /** Does at once what waits for the end of its pause. */
  readonly flush: (key: string) => void;
  /** What waits is not wanted any more. */
  readonly cancel: (key: string) => void;
  readonly dispose: () => void;
};

/** Work by key that is wanted more often than it is worth doing: at most once in `pauseMs`, and never forgotten. */
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
  /** True when something waited, which now does not. */
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
