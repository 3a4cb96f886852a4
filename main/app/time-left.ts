/** What a long command does now, and how much of it is done; `total` is null where nobody knows. */
export type Stretch = { readonly what: string; readonly done: number; readonly total: number | null };

/** An estimate of less than that tells more of chance than of the pace. */
const NOT_BEFORE_MS = 2_000;

/**
 * Tells after every word of a long command how many seconds are left of what it does now, by its pace since it began
 * with that; null: nobody can tell yet.
 */
export function createTimeLeft(now: () => number): (stretch: Stretch) => number | null {
  let begun: (Stretch & { readonly at: number }) | null = null;
  return (stretch) => {
    const { what, done, total } = stretch;
    if (begun === null || begun.what !== what || begun.total !== total || done < begun.done) {
      begun = { ...stretch, at: now() };
      return null;
    }
    const [passed, advanced] = [now() - begun.at, done - begun.done];
    if (total === null || advanced === 0 || passed < NOT_BEFORE_MS) return null;
    return ((passed / 1_000) * Math.max(0, total - done)) / advanced;
  };
}
