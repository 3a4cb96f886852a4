import type { ExhibitCell, ExhibitResult, OddsRatio } from '../../../preload/contract';
import {
  FEW_SEEDS_NOTE,
  INTERVAL_AND_P,
  oddsRatioText,
  pText,
  SIGNIFICANCE_LEVEL,
} from '../../../preload/contract/plans';
import { counted } from '../../base';
import type { Estimate } from '../bootstrap';
import { type Conclusion, limit } from '../conclusion';
import { formatList, formatP, formatPoints, formatSignedPoints } from '../format';
import { MIN_SEEDS_TESTED, smallestSignFlip } from '../seeds-test';

/** The method of the paper minus another line. */
export type Difference = Estimate & {
  readonly other: { readonly label: string; readonly cell: ExhibitCell };
  readonly seeds: number;
  /** Where the values of the table are over more: on what alone the two could be compared. */
  readonly shared: string | null;
  /** The same on every problem: its interval is an exact bound. */
  readonly alike: boolean;
  /** The larger of a test over the problems and one over the seeds, and which that is; null: too few seeds, or no spread. */
  readonly test: { readonly kind: 'bootstrap' | 'seeds'; readonly p: number } | null;
  readonly odds: OddsRatio | null;
};

/** "+4.2 points [0.6, 7.9], odds ratio 1.9 [1.1, 3.4], p = 0.03 (t test 0.01)". `p`: after the correction. */
export function differenceText(
  { value, low, high, odds, shared, test }: Difference,
  p: number | undefined,
): string {
  const interval = `[${formatPoints(low)}, ${formatPoints(high)}]`;
  const found =
    test === null || p === undefined
      ? ''
      : `, ${formatP(p)} (${test.kind === 'seeds' ? 't test' : 'bootstrap'} ${pText(test.p)})`;
  return `${formatSignedPoints(value)} points${shared === null ? '' : ` (${shared})`} ${interval}, odds ratio ${oddsRatioText(odds)}${found}`;
}

/** The significant differences of a method, in one line. */
export function foundText(
  where: string,
  differences: readonly Difference[],
  corrected: ReadonlyMap<Difference | undefined, number>,
): Omit<Conclusion, 'long'> {
  const found = differences.filter((line) => (corrected.get(line) ?? 1) < SIGNIFICANCE_LEVEL);
  if (found.length > 0) {
    const texts = found.map(({ value, other }) => `${formatSignedPoints(value)} against "${other.label}"`);
    return { kind: 'difference', short: `${where} ${formatList(texts)} (percentage points)` };
  }
  const others = formatList(differences.map(({ other }) => `"${other.label}"`));
  return differences.some((line) => corrected.has(line))
    ? { kind: 'no-difference', short: `${where} does not differ significantly from ${others}` }
    : { kind: 'limit', short: `${where} against ${others}: not tested` };
}

/** What the differences rest on and show; while seeds are still measured, their numbers vary. `corrected`: their p. */
export function basisConclusion(
  differences: readonly Difference[],
  corrected: readonly number[],
  scale: ExhibitResult['scale'],
): Conclusion {
  const seeds = differences.map((difference) => difference.seeds);
  const [fewest, most] = [Math.min(...seeds), Math.max(...seeds)];
  if (most === 1) {
    return limit(
      'These differences have one seed: nothing is tested',
      'These differences have one seed: their intervals cover the problems, and with each its search, but not the chance of training. They hold for the policies at hand, not for the methods, so nothing is tested.',
    );
  }
  const range = fewest === most ? `${most} seeds` : `${fewest} to ${most} seeds`;
  const found = corrected.filter((p) => p < SIGNIFICANCE_LEVEL).length;
  // What studies at hand fill is exported without that table.
  const others =
    scale === 'pocket' || scale === 'paper'
      ? ' The table "pairs" tests other metrics, too, and corrects for more pairs, so its p values may be others; it says how large a difference of whole runs had to be to be detected.'
      : '';
  const basis = `These differences are over ${range} and the problems, with 95 % intervals by the two-level bootstrap (seeds and problems drawn independently).`;
  if (most < MIN_SEEDS_TESTED) {
    const few = `${most} seeds are too few to test the chance of training`;
    return limit(few, `${basis} ${few}.`);
  }
  if (corrected.length === 0) {
    const none = 'None varies over the seeds, so nothing is tested';
    return limit(`These differences are over ${range}. ${none}`, `${basis} ${none}.`);
  }
  const count = `${found === 0 ? 'none' : found} of`;
  const verb = found > 1 ? 'are' : 'is';
  const long = `${basis} p: the larger of two tests, over the problems (paired bootstrap) and over the seeds (paired t test), after Holm's correction for these ${corrected.length} (in parentheses: which test that is, and its p before the correction); ${count} them ${verb} significant (p < 0.05)${found === corrected.length ? '' : ', which does not show that there is no difference'}. ${INTERVAL_AND_P} Intervals of differences, as those of values, are ${FEW_SEEDS_NOTE}.${others} A sign-flip test over ${most} seeds, which assumes no distribution, cannot go below p = ${smallestSignFlip(most)}.`;
  const short = `Over ${range}, ${count} ${counted(corrected.length, 'difference')} ${verb} significant`;
  return { kind: found > 0 ? 'difference' : 'no-difference', short, long };
}
