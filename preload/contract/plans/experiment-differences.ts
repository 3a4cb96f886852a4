import type { ExperimentPair } from '../experiment';

/** Significance level of both tests; of the one over problems family-wise within a metric and part. */
export const EXPERIMENT_LEVEL = 0.05;

/** A difference between rows of an experiment is claimed only where the tests over problems and over seeds both find it. */
export function differsByBothTests({ pHolm, pSeeds }: Pick<ExperimentPair, 'pHolm' | 'pSeeds'>): boolean {
  return pHolm < EXPERIMENT_LEVEL && pSeeds !== null && pSeeds < EXPERIMENT_LEVEL;
}

/**
 * Wherever differences between rows of an experiment stand: which test gave each p, and what "significant" is. `family`: the
 * tests that are corrected together.
 */
export function experimentTestsNote(family: string): string {
  return `p over problems: sign-flip test of the problems' mean differences over the seeds. p (Holm): the same after Holm's correction for all ${family}. p over seeds: paired t test of the seeds' mean differences, not corrected; a dash: fewer than three seeds, or all the same. Significant: p (Holm) and p over seeds both below ${EXPERIMENT_LEVEL}.`;
}

export const EXPERIMENT_TESTS_NOTE = experimentTestsNote('pairs of the metric and part');
