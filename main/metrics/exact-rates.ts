import type { Estimate } from './bootstrap';

/** Of both tails of a 95 % interval. */
const TAIL = 0.025;

/** For every text on how intervals are computed. */
export const EXACT_RATES_METHOD =
  'Where every problem is solved, or none is, all resamples are the same: there the interval is the exact one of Clopper and Pearson (1934) for as many problems.';

/**
 * A mean of rates over problems whose bootstrap has no width because all of them are 0 or all are 1, with the exact 95 %
 * interval of n verdicts (Clopper and Pearson 1934): [0, 1 - 0.025^(1/n)] or [0.025^(1/n), 1]. Others stay as they are. Only
 * for rates: differences and counts may be 0 or 1 without being at an end of their range.
 */
export function withExactEnds<E extends Estimate>(estimate: E, problems: number): E {
  const { value, low, high } = estimate;
  if (low !== high || problems < 1 || (value !== 0 && value !== 1)) return estimate;
  const far = TAIL ** (1 / problems);
  return value === 0 ? { ...estimate, high: 1 - far } : { ...estimate, low: far };
}
