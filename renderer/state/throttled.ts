export type Throttled = {
  /** Does the work for this key now, or once after the pause when it was done within it. */
  readonly ask: (key: string) => void;
  /** Does at once what waits for the end of its pause. */
  readonly settle: (key: string) => void;
  /** What waits is not wanted any more. */
  readonly forget: (key: string) => void;
  readonly dispose: () => void;
};

/** Work by key that is wanted more often than it is worth doing: at most once in `pauseMs`, and never forgotten. */
export function createThrottled(work: (key: string) => void, pauseMs: number): Throttled {
  const pausing = new Map<string, { timer: ReturnType<typeof setTimeout>; again: boolean }>();
  const now = (key: string): void => {
    const timer = setTimeout(() => {
      const again = pausing.get(key)?.again === true;
      pausing.delete(key);
      if (again) now(key);
    }, pauseMs);
    pausing.set(key, { timer, again: false });
    work(key);
  };
  /** True when something waited, which now does not. */
  const taken = (key: string): boolean => {
    const pause = pausing.get(key);
    if (pause?.again !== true) return false;
    pause.again = false;
    return true;
  };
  return {
    ask: (key) => {
      const pause = pausing.get(key);
      if (pause === undefined) now(key);
      else pause.again = true;
    },
    settle: (key) => {
      if (taken(key)) work(key);
    },
    forget: (key) => void taken(key),
    dispose: () => {
      for (const { timer } of pausing.values()) clearTimeout(timer);
      pausing.clear();
    },
  };
}
