import { z } from 'zod';

/** The result of one test on one candidate, or of all tests of a set (then: the first that is not `passed`). */
export const verdictSchema = z.enum([
  'passed',
  'wrong-answer',
  'runtime-error', // also: does not compile, lacks the function
  'time-limit',
  'memory-limit',
  'output-limit',
  'no-code', // no program in the answer
  'sandbox-fault', // our failure, never the candidate's: retried, then shown, never counted as wrong
  'grader-fault', // the same, of the code that judges: it threw twice
  'unknown', // of a newer version, read from its journal; never written
]);
export type Verdict = z.infer<typeof verdictSchema>;

/** The verdict says nothing of the candidate, so no number counts it. */
export function isFaultVerdict(verdict: Verdict | null): boolean {
  return verdict === 'sandbox-fault' || verdict === 'grader-fault' || verdict === 'unknown';
}

export const testResultSchema = z.object({
  verdict: verdictSchema,
  /** What the program wrote or returned, cut to a few kB by keeping both ends; null where there was nothing. */
  actual: z.string().nullable(),
  /** Error text or traceback without the runner's own frames, cut likewise; null where there was none. */
  error: z.string().nullable(),
  cpuMs: z.number().nonnegative(),
  wallMs: z.number().nonnegative(),
});
export type TestResult = z.infer<typeof testResultSchema>;

/** The grade of one candidate on one set of tests. */
export const gradeSchema = z.object({
  verdict: verdictSchema,
  results: z.array(testResultSchema),
  /** The verdict in the other grading mode (as-program, as-published); left out if it was not asked for or is the same. */
  otherVerdict: verdictSchema.optional(),
  /** A package whose lack failed the program, e.g. "numpy": other Pythons that grade have it. Left out for all others. */
  missingPackage: z.string().optional(),
});
export type Grade = z.infer<typeof gradeSchema>;
