import type { ExperimentPair } from '../experiment';

/** The chance of any claimed difference within a family of tests (a metric, a metric's part) if nothing differs. */
export const SIGNIFICANCE_LEVEL = 0.05;

/** A difference between rows of an experiment is claimed only where the tests over problems and over seeds both find it. */
export function differsByBothTests({ pHolm }: Pick<ExperimentPair, 'pHolm'>): boolean {
  return pHolm < SIGNIFICANCE_LEVEL;
}

/**
 * Wherever differences between rows of an experiment stand: which test gave each p, and what "significant" is. `family`: the
 * tests that are corrected together.
 */
export function experimentTestsNote(family: string): string {
  return `p over problems: sign-flip test of the problems' mean differences over the seeds. p over seeds: paired t test of the seeds' mean differences; a dash: fewer than three seeds, or all the same. p (Holm): the larger of the two (1 where there is a dash) after Holm's correction for all ${family}. Significant: p (Holm) below ${SIGNIFICANCE_LEVEL}.`;
}

export const EXPERIMENT_TESTS_NOTE = experimentTestsNote('pairs of the metric and part');
