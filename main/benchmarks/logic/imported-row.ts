import {
  type GradingLimits,
  type GradingRules,
  noPublicTestsNote,
  type Problem,
  type ProblemMark,
  type TestCase,
} from '../../../preload/contract';
import { counted, type Result } from '../../base';

/** Counters while rows are read; each one above 0 becomes a note of the benchmark. */
export const countedNotes = {
  withoutPublicTests: noPublicTestsNote,
  contradictedExamples: (n: number) =>
    `${counted(n, 'docstring example is', 'docstring examples are')} left out because the private tests contradict them.`,
  repeatedRows: (n: number) =>
    `${counted(n, 'row repeats', 'rows repeat')} an earlier problem; the first of each is kept.`,
  outsideDates: (n: number) => leftOut(n, 'of other dates'),
  withoutDate: (n: number) => leftOut(n, 'without a date', ', because the import is limited to dates'),
  withoutTests: (n: number) => leftOut(n, 'without any test'),
  unreadableArguments: (n: number) =>
    `${counted(n, 'test was', 'tests were')} left out because the arguments of the call are ambiguous.`,
  doubtfulArguments: (n: number) =>
    `${counted(n, 'problem is', 'problems are')} marked and left out of new studies: the file does not say whether an argument is a number or text.`,
  unparsedTests: (n: number) =>
    `${counted(n, 'problem has', 'problems have')} tests that Python cannot parse: marked and left out of new studies.`,
  uncheckedTests: (n: number) =>
    `Whether Python can parse the tests of ${counted(n, 'problem')} was not checked: this computer has no Python 3, or they are too long for it.`,
  numpyTests: (n: number) =>
    `The tests of ${counted(n, 'problem')} import numpy: where the grading Python has none, every candidate fails.`,
} as const;
export type CountedNote = keyof typeof countedNotes;

function leftOut(n: number, which: string, why = ''): string {
  return `${counted(n, 'problem')} ${which} ${n === 1 ? 'was' : 'were'} left out${why}.`;
}

/** One row of a file as a problem, with notes about it. */
export type ImportedRow = {
  readonly problem: Problem;
  readonly marks?: ReadonlyArray<Omit<ProblemMark, 'problemId'>>;
  readonly counts?: Readonly<Partial<Record<CountedNote, number>>>;
  /** CPU seconds that the source allows; the benchmark's limit is the largest of them. */
  readonly cpuSeconds?: number;
};

/** How one published form of a benchmark is read; row-formats.ts registers it. */
export type RowFormat = {
  /** Its name for people, e.g. "LiveCodeBench". */
  readonly name: string;
  readonly rules: GradingRules;
  readonly limits: GradingLimits;
  /** Published files have some problems twice: the first one counts. Otherwise a repetition is an error. */
  readonly keepsFirstOfRepeated: boolean;
  /** The error is the end of a sentence that begins with the row's place. */
  readonly read: (row: string) => Result<ImportedRow, string>;
  /** The field with packed private tests (LiveCodeBench), which are unpacked without reading the row as a whole. */
  readonly packedField?: string;
  /** The version in the files' names; null: none. */
  readonly versionOf?: (fileNames: readonly string[]) => string | null;
};

/** Public tests, then the private ones that are not among them, so that each is run once and all of them count. */
export function withPublicTests(
  publicTests: readonly TestCase[],
  privateTests: readonly TestCase[],
): TestCase[] {
  const seen = new Set(publicTests.map((test) => JSON.stringify(test)));
  return [...publicTests, ...privateTests.filter((test) => !seen.has(JSON.stringify(test)))];
}

export const GIBIBYTE = 1024 ** 3;
export const MEBIBYTE = 1024 ** 2;
