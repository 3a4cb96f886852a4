import type { OddsRatio } from '../../preload/contract';
import { ROUNDING_NOISE } from '../../preload/contract/plans';
import { betaQuantile } from './quantiles';

/** Of both tails of a 95 % interval. */
const TAIL = 0.025;

/**
 * Effect size of a paired comparison that does not shrink where both sides solve nearly everything: among the problems
 * on which the two differ, how many fall to the first for each that falls to the second, b / c (the conditional maximum
 * likelihood estimate of the odds ratio of matched pairs; Agresti 2002, "Categorical Data Analysis", section 10.1.4).
 * The interval is exact, given b + c: Clopper and Pearson's (1934) of b among b + c, as odds. It is over problems alone:
 * of several trainings a side it does not have the chance of training. null: they differ on no problem, which says
 * nothing of the odds; if only one of both wins problems, the ratio is 0 or infinite, and one end of the interval with
 * it. A ratio above 1 favours the first.
 */
export function oddsRatio(onlyFirst: number, onlySecond: number): OddsRatio | null {
  if (onlyFirst + onlySecond === 0) return null;
  return {
    value: onlySecond === 0 ? null : onlyFirst / onlySecond,
    low: onlyFirst === 0 ? 0 : odds(betaQuantile(TAIL, onlyFirst, onlySecond + 1)),
    high: onlySecond === 0 ? null : odds(betaQuantile(1 - TAIL, onlyFirst + 1, onlySecond)),
  };
}

/** That of paired differences of problems, first minus second. */
export function oddsRatioOf(differences: readonly number[]): OddsRatio | null {
  return oddsRatio(
    differences.filter((difference) => difference >= ROUNDING_NOISE).length,
    differences.filter((difference) => difference <= -ROUNDING_NOISE).length,
  );
}

function odds(share01: number): number {
  return share01 / (1 - share01);
}
