import type { Grader } from './grader';
import { readingsDiffer } from './logic/runner-work';

/**
 * The grade by the requested reading, with `bothReadings` also the verdict of the other one where it differs. The second
 * grade is made only where the two readings run programs differently.
 */
export const gradeInBothReadings = async (
  gradeOne: Grader['grade'],
  { bothReadings = false, ...request }: Parameters<Grader['grade']>[0],
  signal: AbortSignal | undefined,
): ReturnType<Grader['grade']> => {
  const grade = await gradeOne(request, signal);
  const { rules = 'plain', reading = 'as-program', tests } = request;
  if (!grade.ok || !bothReadings || !readingsDiffer(rules, tests)) return grade;
  const other = await gradeOne(
    { ...request, reading: reading === 'as-program' ? 'as-published' : 'as-program' },
    signal,
  );
  if (!other.ok) return other;
  if (other.value.verdict === grade.value.verdict) return grade;
  return { ok: true, value: { ...grade.value, otherVerdict: other.value.verdict } };
};
