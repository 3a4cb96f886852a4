import type { Benchmark, Problem } from '../problem';
import type { Study } from '../study';

/** `publicTests`: how many it has. */
type ProblemFacts = Pick<Problem, 'id' | 'date'> & { readonly publicTests: number };

/**
 * The problems that a study searches, in the benchmark's order: contests between `from` and `to` (inclusive; problems without
 * a date are in no window), without the excluded ones and, where asked for, those without public tests, and then the
 * first `problems` of them.
 */
export function chosenProblems(
  request: NonNullable<Study['choice']>,
  benchmark: Pick<Benchmark, 'marks'>,
  problems: readonly ProblemFacts[],
): string[] {
  const excluded = new Set(
    request.includeExcluded
      ? []
      : benchmark.marks.filter(({ exclude }) => exclude).map((mark) => mark.problemId),
  );
  const isWithin = ({ date }: ProblemFacts): boolean => {
    if (request.from === undefined && request.to === undefined) return true;
    const day = date?.slice(0, 10);
    return (
      day !== undefined && day >= (request.from ?? '') && (request.to === undefined || day <= request.to)
    );
  };
  return problems
    .filter((problem) => isWithin(problem) && !excluded.has(problem.id))
    .filter(({ publicTests }) => !request.needsPublicTests || publicTests > 0)
    .map(({ id }) => id)
    .slice(0, request.problems);
}
