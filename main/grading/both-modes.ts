import type { Grader } from './grader';
import { modesDiffer } from './logic/runner-work';

/**
 * The grade in the requested grading mode, with `bothModes` also the verdict in the other one where it differs. The
 * program is graded twice only where the two modes run programs differently.
 */
export const gradeInBothModes = async (
  gradeOne: Grader['grade'],
  { bothModes = false, ...request }: Parameters<Grader['grade']>[0],
  signal: AbortSignal | undefined,
): ReturnType<Grader['grade']> => {
  const grade = await gradeOne(request, signal);
  const { rules = 'plain', mode = 'as-program', tests } = request;
  if (!grade.ok || !bothModes || !modesDiffer(rules, tests)) return grade;
  const other = await gradeOne(
    { ...request, mode: mode === 'as-program' ? 'as-published' : 'as-program' },
    signal,
  );
  if (!other.ok) return other;
  if (other.value.verdict === grade.value.verdict) return grade;
  return { ok: true, value: { ...grade.value, otherVerdict: other.value.verdict } };
};
