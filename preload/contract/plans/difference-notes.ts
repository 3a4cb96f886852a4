import type { Pair } from '../analysis';

/** Wherever odds ratios stand: what they are, and what their interval leaves out. */
export const ODDS_NOTE =
  'Odds ratio of A minus B: problems on which A does better (in a larger share of its seeds) for each on which B does; by how much does not count, so it may point the other way than the difference. Its exact 95 % interval is over problems: where a side has several trainings, it leaves out their chance and is too narrow.';

/** Wherever the interval of a difference is a bound, because resampling problems that all agree shows nothing. */
export const ALIKE_NOTE =
  'Where no problem differs, or all differ alike, the interval is an exact bound (Clopper and Pearson): of so many problems that agree, so large a share could still be otherwise.';

/** Wherever differences of several seeds have intervals and p. */
export const INTERVAL_AND_P =
  'An interval is of one difference or odds ratio, uncorrected. That of a difference is over seeds and problems at once, while p is the larger of two separate tests: where they disagree, p decides.';

/** Wherever intervals over seeds are explained: those of values and those of differences are made alike. */
export const FEW_SEEDS_NOTE = 'too narrow where seeds are few and differ much';

/** Wherever a team is beside its members searching alone with as many nodes in all. */
export const SIDE_BY_SIDE_NOTE =
  'Side by side: each member alone with N / agents nodes, their results put together.';

/**
 * With more configurations, parts of the problems and equal budgets are compared with the first alone: a correction over all
 * pairs and parts would leave nothing.
 */
export const MAX_ALL_DETAIL_PAIRS = 6;

/** Says so beside such differences; empty: all pairs are compared. `rows`: the configurations in their order. */
export function firstAloneNote(rows: readonly { readonly configuration: string }[]): string {
  if (rows.length <= MAX_ALL_DETAIL_PAIRS) return '';
  return `Of ${rows.length} configurations only the differences from the first, "${rows[0]?.configuration}", are compared here.`;
}

/** Does no problem differ, or do all differ in one direction? */
export function allAgree({ test, problems }: Pick<Pair, 'test' | 'problems'>): boolean {
  const { onlyFirst, onlySecond } = test;
  return [onlyFirst, onlySecond].includes(problems) || onlyFirst + onlySecond === 0;
}
