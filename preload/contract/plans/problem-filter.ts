import type { Problem, ProblemMark, ProblemOutline } from '../problem';

/** Marks that one command changes at most. */
export const MAX_MARKS = 20_000;

/** Which problems of a benchmark a list shows; the empty filter shows all. */
export type ProblemListFilter = {
  /** Words that id, title and platform must contain, in any order. */
  readonly text: string;
  /** none: problems without a difficulty; null: any. */
  readonly difficulty: NonNullable<Problem['difficulty']> | 'none' | null;
  /** Of the contest, e.g. "2025-01"; none: problems without a date; null: any. */
  readonly month: string | null;
  readonly only: ProblemKind;
};

export const PROBLEM_KINDS = ['all', 'no-public-tests', 'marked', 'excluded', 'unmarked'] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

export const NO_PROBLEM_LIST_FILTER: ProblemListFilter = {
  text: '',
  difficulty: null,
  month: null,
  only: 'all',
};

/** "2025-01" of a problem with a date, else "none". */
export function monthOf({ date }: Pick<ProblemOutline, 'date'>): string {
  return date === null ? 'none' : date.slice(0, 7);
}

/** The problems that the filter shows, in their order. */
export function matchingProblems(
  problems: readonly ProblemOutline[],
  marks: readonly ProblemMark[],
  { text, difficulty, month, only }: ProblemListFilter,
): readonly ProblemOutline[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const markOf = new Map(marks.map((mark) => [mark.problemId, mark]));
  const isKind = ({ id, publicTests }: ProblemOutline): boolean => {
    const mark = markOf.get(id);
    switch (only) {
      case 'no-public-tests':
        return publicTests === 0;
      case 'marked':
        return mark !== undefined;
      case 'excluded':
        return mark?.exclude === true;
      case 'unmarked':
        return mark === undefined;
      default:
        return true;
    }
  };
  return problems.filter((problem) => {
    if (difficulty !== null && (problem.difficulty ?? 'none') !== difficulty) return false;
    if (month !== null && monthOf(problem) !== month) return false;
    const searched = `${problem.id} ${problem.title} ${problem.platform ?? ''}`.toLowerCase();
    return isKind(problem) && words.every((word) => searched.includes(word));
  });
}
