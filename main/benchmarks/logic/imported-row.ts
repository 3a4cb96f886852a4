import type { GradingLimits, GradingRules, Problem, ProblemMark, TestCase } from '../../../preload/contract';
import type { Result } from '../../base';

/** What is counted while rows are read; each makes one of the benchmark's notes where it is not 0. */
export const countedNotes = {
  withoutPublicTests: (n: number) =>
    `${n} ${n === 1 ? 'problem has' : 'problems have'} no public tests: every candidate of theirs has the public score 0.`,
  contradictedExamples: (n: number) =>
    `${n} ${n === 1 ? 'docstring example is' : 'docstring examples are'} left out because the private tests contradict them.`,
  repeatedRows: (n: number) =>
    `${n} ${n === 1 ? 'row repeats' : 'rows repeat'} an earlier problem; the first of each is kept.`,
  outsideDates: (n: number) => `${n} ${problems(n)} of other dates ${n === 1 ? 'was' : 'were'} left out.`,
  withoutDate: (n: number) =>
    `${n} ${problems(n)} without a date ${n === 1 ? 'was' : 'were'} left out, because dates were asked for.`,
  withoutTests: (n: number) => `${n} ${problems(n)} without any test ${n === 1 ? 'was' : 'were'} left out.`,
  unreadableArguments: (n: number) =>
    `${n} ${n === 1 ? 'test was' : 'tests were'} left out because the arguments of the call can not be told apart.`,
  doubtfulArguments: (n: number) =>
    `${n} ${n === 1 ? 'problem is' : 'problems are'} marked and left out of new studies: the file does not say whether an argument is a number or text.`,
  numpyTests: (n: number) =>
    `The tests of ${n} ${problems(n)} import numpy: where the grading Python has none, every candidate fails.`,
} as const;
export type CountedNote = keyof typeof countedNotes;

function problems(n: number): string {
  return n === 1 ? 'problem' : 'problems';
}

/** One row of a file as a problem, with what people should know of it. */
export type ImportedRow = {
  readonly problem: Problem;
  readonly marks?: ReadonlyArray<Omit<ProblemMark, 'problemId'>>;
  readonly counts?: Readonly<Partial<Record<CountedNote, number>>>;
  /** Seconds of processor time that the source grants; the benchmark's limit is the largest of them. */
  readonly cpuSeconds?: number;
};

/** How one published form of a benchmark is read; row-formats.ts registers it. */
export type RowFormat = {
  /** As people call it, e.g. "LiveCodeBench". */
  readonly name: string;
  readonly rules: GradingRules;
  readonly limits: GradingLimits;
  /** Where published files have the same problem twice; elsewhere that is an error. */
  readonly keepsFirstOfRepeated: boolean;
  /** The error is the end of a sentence that begins with the row's place. */
  readonly read: (row: string) => Result<ImportedRow, string>;
  /** The field with packed private tests (LiveCodeBench), which are unpacked without reading the row as a whole. */
  readonly packedField?: string;
  /** The version that the files' names tell; null: they tell none. */
  readonly versionOf?: (fileNames: readonly string[]) => string | null;
};

/** Public tests, then those private ones that are not among them: each is run once, and all of them count. */
export function withPublicTests(
  publicTests: readonly TestCase[],
  privateTests: readonly TestCase[],
): TestCase[] {
  const seen = new Set(publicTests.map((test) => JSON.stringify(test)));
  return [...publicTests, ...privateTests.filter((test) => !seen.has(JSON.stringify(test)))];
}

export const GIBIBYTE = 1024 ** 3;
export const MEBIBYTE = 1024 ** 2;
