import type { Grade, GradingLimits, GradingRules, Refusal, TestCase } from '../../preload/contract';
import type { Result } from '../base';
import type { Reading } from './logic/runner-work';
import type { PythonPackage } from './python-packages';

export type GradeRequest = {
  /** null or only blanks: every test gets `no-code`, without a sandbox. */
  readonly program: string | null;
  /** Function that `call` tests call; null for other tests. */
  readonly entryPoint: string | null;
  readonly tests: readonly TestCase[];
  readonly limits: GradingLimits;
  /** Tests after the first that is not passed are not run and have no result. */
  readonly stopAtFirstFailure: boolean;
  /** Whose rules hold (docs/grading.md); `plain` when left out. */
  readonly rules?: GradingRules;
  /** `as-program` when left out. */
  readonly reading?: Reading;
  /** The grade also tells what the other reading says, where that differs. */
  readonly bothReadings?: boolean;
  /** Runs the program again even when an equal request was graded before. */
  readonly fresh?: boolean;
};

export type GraderStatistics = {
  /** Candidates that wait for a free sandbox. */
  readonly queued: number;
  /** Candidates in a sandbox now; of those that share a process, one. */
  readonly running: number;
  /** Grades made in a sandbox; those from memory do not count. */
  readonly graded: number;
  /** Of these, grades to which a process in common with other candidates was enough (docs/sandbox.md). */
  readonly together: number;
  /** Attempts at which the sandbox itself failed. */
  readonly faults: number;
};

/** `broken`: a program whose verdict is known got another one; every grade is a `sandbox-fault` with this message. */
export type GraderHealth = { readonly kind: 'good' } | { readonly kind: 'broken'; readonly message: string };

export type Grader = {
  /** `none`: programs run with the user's own rights, because the user has allowed it. */
  readonly isolation: 'sandbox' | 'none';
  /** Version of the Python that runs the candidates, e.g. "3.11.2". */
  readonly python: string;
  /** What candidates can import beside the standard library, e.g. numpy, and its version. */
  readonly packages: readonly PythonPackage[];
  /** What limits of time are multiplied by on this computer, at least 1 (calibration.ts). */
  readonly cpuFactor: number;
  readonly health: () => GraderHealth;
  /**
   * Grades one candidate in a process of its own, or in a common one where its syntax tree shows that it can harm none
   * of the others (docs/sandbox.md). Whatever the candidate does, the answer is a grade; its verdict
   * is `sandbox-fault` when the sandbox itself failed three times. Equal requests are graded once and shared. Only
   * `signal`, or closing the grader, gives a refusal (`cancelled`).
   */
  readonly grade: (request: GradeRequest, signal?: AbortSignal) => Promise<Result<Grade, Refusal>>;
  readonly statistics: () => GraderStatistics;
  /** Ends everything: no process and no temporary folder is left when it resolves. */
  readonly dispose: () => Promise<void>;
};
