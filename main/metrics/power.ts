import { SIGNIFICANCE_LEVEL } from '../../preload/contract/plans';
import { studentHalfWidth } from './quantiles';
import { MIN_SEEDS_TESTED } from './seeds-test';

/** The power: share of studies that detect a true difference. */
const POWER = 0.8;

/** Assumptions about a paired comparison before it is made. */
export type PairedSpread = {
  /** Mean of the squared differences per problem; for verdicts the share of problems that just one side solves. */
  readonly secondMoment: number;
  /** Two-sided level at which a difference is claimed. */
  readonly level: number;
  /** Are all differences -1, 0 or 1? Then no mean difference exceeds the share of problems that differ. */
  readonly verdicts: boolean;
};

/**
 * Problems needed to detect a true mean difference of `difference` in four of five studies (Connor 1987, for McNemar's
 * test; with the second moment in place of the share of discordant problems it holds for rates). Not rounded; Infinity
 * for no difference. A spread too small for the difference is widened to the smallest that allows it.
 */
export function problemsFor(difference: number, { secondMoment, level, verdicts }: PairedSpread): number {
  const size = Math.abs(difference);
  if (size === 0) return Number.POSITIVE_INFINITY;
  const moment = Math.max(secondMoment, verdicts ? size : size ** 2);
  const chance = normalQuantile(1 - level / 2) * Math.sqrt(moment);
  const power = normalQuantile(POWER) * Math.sqrt(Math.max(0, moment - size ** 2));
  return ((chance + power) / size) ** 2;
}

/**
 * A larger number is meaningless: no benchmark has that many, and rounding alone makes a difference of almost 0 need
 * 10^16 and more.
 */
const MAX_PROBLEMS_NEEDED = 1_000_000;

/** `problemsFor` as a whole number; null: more than a million. */
export function problemsNeeded(difference: number, spread: PairedSpread): number | null {
  const needed = problemsFor(difference, spread);
  return needed <= MAX_PROBLEMS_NEEDED ? Math.ceil(needed - 1e-9) : null;
}

/** The smallest true difference that `problems` problems detect in four of five studies; null: not even 1. */
export function detectableDifference(problems: number, spread: PairedSpread): number | null {
  if (problemsFor(1, spread) > problems) return null;
  let [hidden, shown] = [0, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (hidden + shown) / 2;
    if (problemsFor(middle, spread) > problems) hidden = middle;
    else shown = middle;
  }
  return shown;
}

/** A difference of which some seeds are known, with what its spread is made of. */
export type SeedsDifference = {
  readonly low: number;
  readonly high: number;
  /** Of the seeds' own differences; left out: fewer than two seeds. */
  readonly seedSpread?: { readonly sd: number } | undefined;
};

/**
 * The same where the interval of a difference covers seeds as well as problems, from the standard error (SE) that its 95 %
 * interval stands for: the least difference that is claimed, and as much more as four of five studies exceed it by.
 * `trainings`: each seed is a training of its own, so that the t test over them must claim it, too, of which few seeds allow
 * little (null: the test over problems decides). null: not even 1, or seeds too few to be tested.
 */
export function detectableOverSeeds(
  { low, high, seedSpread }: SeedsDifference,
  level: number,
  trainings: number | null,
): number | null {
  if (trainings !== null && trainings < MIN_SEEDS_TESTED) return null;
  const standardError = (high - low) / (2 * normalQuantile(0.975));
  const overProblems = normalQuantile(1 - level / 2) * standardError;
  let size = overProblems + normalQuantile(POWER) * standardError;
  if (trainings !== null) {
    const seedsError = (seedSpread?.sd ?? 0) / Math.sqrt(trainings);
    const overSeeds = studentHalfWidth(1 - level, trainings - 1) * seedsError;
    size = Math.max(overProblems, overSeeds) + studentHalfWidth(2 * POWER - 1, trainings - 1) * standardError;
  }
  return size > 1 ? null : size;
}

/** Mean of p (1 - p) over problems whose chances p of being solved are spread evenly between 0 and 1. */
const VERDICT_VARIANCE = 1 / 6;

/**
 * The smallest true gain in Pass@1 that an evaluation before and one after a training, on the same problems, would
 * detect: paired over problems, two-sided at 5 %, power 80 % (Connor 1987, as `problemsFor`). `attempts` independent
 * ones a problem on each side, whose chances are assumed to be spread evenly: then a problem's difference has the second
 * moment 2 / (6 attempts) without any gain. A gain that differs between problems, and the chance of the training
 * itself, come on top; so this is the least. null: not even 1.
 */
export function detectableGain(problems: number, attempts: number): number | null {
  const secondMoment = (2 * VERDICT_VARIANCE) / attempts;
  return detectableDifference(problems, {
    secondMoment,
    level: SIGNIFICANCE_LEVEL,
    verdicts: attempts === 1,
  });
}

/** z with P(Z <= z) = p for a standard normal Z; p in (0, 1). */
export function normalQuantile(p: number): number {
  let [low, high] = [-9, 9];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (normalBelow(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(Z <= z), by the series z + z^3/3 + z^5/(3 * 5) + ... times the density (Abramowitz and Stegun 26.2.11). */
function normalBelow(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
