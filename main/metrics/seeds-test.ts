import { pText } from '../../preload/contract/plans';
import { tTestP } from './t-test';

/** With fewer, the seeds' spread is not known, and a small p would rest on a chance agreement of two numbers. */
export const MIN_SEEDS_TESTED = 3;

/**
 * Two-sided p of "training by one method or the other makes no difference": the paired t test over the mean differences
 * of the seeds. null: fewer than three seeds, or no spread.
 */
export function seedsP(differences: readonly number[]): number | null {
  return differences.length < MIN_SEEDS_TESTED ? null : tTestP(differences);
}

/**
 * The p of a difference between trainings, which must be beyond chance both over the problems and over the seeds: the
 * larger of the two p-values, before any correction. `overSeeds`: from `seedsP`; 1 where that is not known.
 */
export function trainingsP(overProblems: number, overSeeds: number | null): number {
  return Math.max(overProblems, overSeeds ?? 1);
}

/** The smallest p that a two-sided sign-flip test over this many seeds can give, e.g. "0.063" for five. */
export function smallestSignFlip(seeds: number): string {
  return pText(2 ** (1 - seeds));
}
