/** Steps that a smoothed value is the mean of; 0: nothing is smoothed. */
export const SMOOTHINGS = [0, 5, 20, 100] as const;
export type Smoothing = (typeof SMOOTHINGS)[number];

/**
 * What the lines show, so that a mean is not taken for a value. `areMeans`: of several curves, with nothing behind
 * them.
 */
export function smoothingText(smoothing: Smoothing, stepName: string, areMeans = false): string {
  if (smoothing === 0) return 'Values as logged.';
  const behind = areMeans ? '' : '; faint: the logged values';
  return `Smoothed: mean of the last ${smoothing} ${stepName}${behind}.`;
}

/**
 * Each value as the mean of those of the last `window` steps, itself among them (steps in (s - window, s]). Only what
 * was before a point enters it, so a point does not move when the next one comes.
 */
export function smoothed(
  steps: readonly number[],
  values: readonly number[],
  window: Smoothing,
): readonly number[] {
  if (window === 0) return values;
  const sum = exactSum();
  let from = 0;
  return values.map((value, at) => {
    sum.add(value);
    while ((steps[from] ?? 0) <= (steps[at] ?? 0) - window) {
      sum.add(-(values[from] ?? 0));
      from += 1;
    }
    return sum.value() / (at - from + 1);
  });
}

/** A sum that does not forget its small parts beside a spike (Neumaier's compensation). */
function exactSum(): { readonly add: (value: number) => void; readonly value: () => number } {
  let sum = 0;
  let lost = 0;
  return {
    add: (value) => {
      const next = sum + value;
      lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sum = next;
    },
    value: () => sum + lost,
  };
}
