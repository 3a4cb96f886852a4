import type { Grade, Problem } from '../../preload/contract/index';

/** Verdicts on programs; each program of a problem is run once. Throws TrainerError if the sandbox fails. */
export type Verdicts = {
  /** Verdicts of all public tests; `grader-fault`: our own code could not judge the program, asked twice. */
  readonly publicGrade: (problem: Problem, program: string) => Promise<Grade>;
  /** Whether the program passes the public and the private tests; null: as `grader-fault`. `known`: its public grade. */
  readonly passes: (problem: Problem, program: string, known?: Grade) => Promise<boolean | null>;
  /** Requested programs, and distinct pairs of problem and program that were graded. */
  readonly statistics: { readonly asked: number; readonly pairs: number };
};

/** What is trained and evaluated on: problems with tests, and verdicts on them. */
export type TrainingEnvironment = {
  /** The benchmark's id, for the trees' configuration. */
  readonly benchmarkId: string;
  /** The problem of training tree number `tree` (from 0), the same for every group and method. */
  readonly problemOf: (tree: number) => Promise<Problem>;
  /** For a choice among the problems of the training; left out: there is none. */
  readonly training?: {
    readonly ids: readonly string[];
    readonly problem: (id: string) => Promise<Problem>;
    /** As `problemOf`, of these problems only. */
    readonly problemOfAmong: (ids: ReadonlySet<string>) => TrainingEnvironment['problemOf'];
  };
  /** Ids of the problems of the evaluation, in order; none occurs among those of the training. */
  readonly heldOut: readonly string[];
  readonly heldOutProblem: (id: string) => Promise<Problem>;
  /** Name of the held-out problems, e.g. "test". */
  readonly split: string;
  readonly verdicts: Verdicts;
};
