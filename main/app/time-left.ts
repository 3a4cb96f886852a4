/** What a long command is doing, and how much of it is done; `total` is null where it is not known. */
export type TaskProgress = { readonly what: string; readonly done: number; readonly total: number | null };

/** An estimate from less time is mostly chance. */
const NOT_BEFORE_MS = 2_000;

/**
 * Estimates after each report of a long command how many seconds are left of its current phase, by the pace since that
 * phase began; null: not known yet.
 */
export function createTimeLeft(now: () => number): (progress: TaskProgress) => number | null {
  let phase: (TaskProgress & { readonly at: number }) | null = null;
  return (progress) => {
    const { what, done, total } = progress;
    if (phase === null || phase.what !== what || phase.total !== total || done < phase.done) {
      phase = { ...progress, at: now() };
      return null;
    }
    const [passed, advanced] = [now() - phase.at, done - phase.done];
    if (total === null || advanced === 0 || passed < NOT_BEFORE_MS) return null;
    return ((passed / 1_000) * Math.max(0, total - done)) / advanced;
  };
}
