export type Throttled = {
  /** Does the work for this key now, or once after the pause when it was done within it. */
  readonly ask: (key: string) => void;
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
  return {
    ask: (key) => {
      const pause = pausing.get(key);
      if (pause === undefined) now(key);
      else pause.again = true;
    },
    dispose: () => {
      for (const { timer } of pausing.values()) clearTimeout(timer);
      pausing.clear();
    },
  };
}
