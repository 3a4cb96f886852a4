import { hasWidth } from '../../preload/contract/plans';
import type { Estimate } from './bootstrap';

/** Of both tails of a 95 % interval. */
const TAIL = 0.025;

/** What values of rates, and differences of rates, can be. */
const RATES = [0, 1] as const;
export const DIFFERENCES = [-1, 1] as const;

/** For every text on how intervals are computed. */
export const EXACT_RATES_METHOD =
  'Where every problem has the same value, or the same difference, all resamples are the same: there the interval has the exact bound of Clopper and Pearson (1934) on the share of problems that may be otherwise, for as many problems.';

/**
 * A mean over problems whose bootstrap has no width because all of them have one value v, with an exact 95 % interval: of n
 * problems that all agree, up to u = 1 - 0.025^(1/n) may be otherwise (Clopper and Pearson 1934), each as far as rates, or
 * their differences, go. So 0 % has [0, u], 100 % [1 - u, 1], and a difference that is 0 on every problem [-u, u]. Others stay
 * as they are.
 */
export function withExactEnds<E extends Estimate>(
  estimate: E,
  problems: number,
  [least, most]: readonly [number, number] = RATES,
): E {
  const { value } = estimate;
  if (hasWidth(estimate) || problems < 1 || value < least || value > most) return estimate;
  const alike = TAIL ** (1 / problems);
  const toEnd = (end: number): number => alike * value + (1 - alike) * end;
  return { ...estimate, low: toEnd(least), high: toEnd(most) };
}
