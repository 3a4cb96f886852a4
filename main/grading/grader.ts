import type { Grade, GradingLimits, GradingRules, Refusal, TestCase } from '../../preload/contract';
import { ok, type Result } from '../base';
import type { PythonChoice } from './logic/choose-python';
import { resultWithoutRun } from './logic/judge';
import { type GradingMode, modesDiffer } from './logic/runner-work';
import type { StopAfter } from './logic/test-schedule';
import type { PythonPackage } from './python-packages';

export type GradeRequest = {
  /** null or blank: every test gets `no-code`, without a sandbox. */
  readonly program: string | null;
  /** Function that `call` tests call; null for other tests. */
  readonly entryPoint: string | null;
  readonly tests: readonly TestCase[];
  readonly limits: GradingLimits;
  /** Tests after the first that is not passed are not run and have no result. */
  readonly stopAtFirstFailure: boolean;
  /** Tests after the first that reaches its time limit are not run and have no result. */
  readonly stopAtTimeLimit?: boolean;
  /** The benchmark's grading rules (docs/grading.md); `plain` when left out. */
  readonly rules?: GradingRules;
  /** `as-program` when left out. */
  readonly mode?: GradingMode;
  /** The grade also has the verdict of the other grading mode, where it differs. */
  readonly bothModes?: boolean;
  /** One of a batch: where sandboxes are short, such requests take turns with single ones. */
  readonly isBatch?: boolean;
  /** Runs the program again even if an equal request was graded before. */
  readonly fresh?: boolean;
};

/** The result behind which a request wants no test. */
export function stopAfterOf({
  stopAtFirstFailure,
  stopAtTimeLimit = false,
}: Pick<GradeRequest, 'stopAtFirstFailure' | 'stopAtTimeLimit'>): StopAfter {
  if (stopAtFirstFailure) return 'failure';
  return stopAtTimeLimit ? 'time-limit' : 'nothing';
}

export type GraderStatistics = {
  /** Candidates waiting for a free sandbox. */
  readonly queued: number;
  /** Candidates in a sandbox now; those that share a process count as one. */
  readonly running: number;
  /** Grades made in a sandbox, without those from the cache. */
  readonly graded: number;
  /** Of these, grades made in a process shared with other candidates (docs/sandbox.md). */
  readonly together: number;
  /** Attempts in which the sandbox itself failed. */
  readonly faults: number;
};

/** `broken`: the self-check failed; every grade is a `sandbox-fault` with this message. */
export type GraderHealth = { readonly kind: 'good' } | { readonly kind: 'broken'; readonly message: string };

export type Grader = {
  /** `none`: programs run with the user's own rights, which the user has allowed. */
  readonly isolation: 'sandbox' | 'none';
  /** Version of the Python that runs the candidates, e.g. "3.11.2". */
  readonly python: string;
  /** Which Python that is, and why this one of those that were found. */
  readonly choice: PythonChoice;
  /** Packages that candidates can import besides the standard library, e.g. numpy. */
  readonly packages: readonly PythonPackage[];
  /** Time limits are multiplied by this on this computer, at least 1 (calibration.ts). */
  readonly cpuFactor: number;
  readonly health: () => GraderHealth;
  /**
   * Grades one candidate in its own process, or in a shared one if its syntax tree shows that it cannot affect other
   * candidates (docs/sandbox.md). Whatever the candidate does, the answer is a grade; its verdict is `sandbox-fault` when
   * the sandbox itself failed three times, and `grader-fault` when our own code threw twice. Equal requests are graded
   * once. Only `signal`, or closing the grader, gives a refusal (`cancelled`). Never rejects.
   */
  readonly grade: (request: GradeRequest, signal?: AbortSignal) => Promise<Result<Grade, Refusal>>;
  readonly statistics: () => GraderStatistics;
  /** Ends all processes and removes all temporary folders before it resolves. */
  readonly dispose: () => Promise<void>;
};

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

/** The grade when nothing is run or known: an answer without a program, or a grader that does not work. */
export function gradeNotRun(
  request: Pick<GradeRequest, 'tests' | 'stopAtFirstFailure'>,
  verdict: 'no-code' | 'sandbox-fault' | 'grader-fault',
  error: string | null,
): Grade {
  const results = request.tests.map(() => resultWithoutRun(verdict, error));
  return { verdict, results: request.stopAtFirstFailure ? results.slice(0, 1) : results };
}

/** An error that chance brings (no memory for a moment) does not come twice. */
const TRIES = 2;

/** The grade; `grader-fault` where it throws each time. So no program, whatever it does, ends a study. */
export async function gradeOrFault(
  request: GradeRequest,
  grade: () => ReturnType<Grader['grade']>,
): ReturnType<Grader['grade']> {
  let cause: unknown;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await grade();
    } catch (error) {
      cause = error;
    }
  }
  const error = `The grader itself failed on this program (${String(cause)}). It counts as neither right nor wrong. Please report this error.`;
  return ok(gradeNotRun(request, 'grader-fault', error));
}
