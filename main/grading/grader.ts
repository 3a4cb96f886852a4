import type { Grade, GradingLimits, Refusal, TestCase } from '../../preload/contract';
import type { Result } from '../base';

export type GradeRequest = {
  /** null or only blanks: every test gets `no-code`, without a sandbox. */
  readonly program: string | null;
  /** Function that `call` tests call; null for other tests. */
  readonly entryPoint: string | null;
  readonly tests: readonly TestCase[];
  readonly limits: GradingLimits;
  /** Tests after the first that is not passed are not run and have no result. */
  readonly stopAtFirstFailure: boolean;
};

export type GraderStatistics = {
  /** Candidates that wait for a free sandbox. */
  readonly queued: number;
  /** Candidates in a sandbox now. */
  readonly running: number;
  /** Grades made in a sandbox; those from memory do not count. */
  readonly graded: number;
  /** Attempts at which the sandbox itself failed. */
  readonly faults: number;
};

export type Grader = {
  /** `none`: programs run with the user's own rights, because the user has allowed it. */
  readonly isolation: 'sandbox' | 'none';
  /** Version of the Python that runs the candidates, e.g. "3.11.2". */
  readonly python: string;
  /**
   * Grades one candidate in a sandbox of its own. Whatever the candidate does, the answer is a grade; its verdict
   * is `sandbox-fault` when the sandbox itself failed three times. Equal requests are graded once and shared. Only
   * `signal`, or closing the grader, gives a refusal (`cancelled`).
   */
  readonly grade: (request: GradeRequest, signal?: AbortSignal) => Promise<Result<Grade, Refusal>>;
  readonly statistics: () => GraderStatistics;
  /** Ends everything: no process and no temporary folder is left when it resolves. */
  readonly dispose: () => Promise<void>;
};
