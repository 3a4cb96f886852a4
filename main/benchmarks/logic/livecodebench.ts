import { z } from 'zod';
import {
  difficultySchema,
  type GradingLimits,
  type ProblemMark,
  type TestCase,
} from '../../../preload/contract';
import { failed, ok, parsedJson, parsedJsonWithin, type Result } from '../../base';
import { GIBIBYTE, type ImportedRow, MEBIBYTE } from './imported-row';
import { ROW_SIZE, withinRowSize } from './row-size';
import { rowOf, taskIdSchema } from './rows';

const SOURCE = "LiveCodeBench's ERRATA.md";

/** Problems that its authors list (github.com/LiveCodeBench/LiveCodeBench, ERRATA.md), by id or slug of the title. */
const errata: ReadonlyArray<readonly [string, readonly string[]]> = [
  [
    'several right answers, of which one is accepted',
    [
      'abc311_c',
      'abc326_d',
      'abc327_b',
      'abc333_e',
      'abc343_a',
      'abc343_e',
      'abc362_c',
      'arc185_c',
      'find-words-containing-character',
      'find-the-peaks',
      'generate-binary-strings-without-adjacent-zeros',
    ],
  ],
  ['interactive, which its tests cannot judge', ['abc337_e', 'abc355_e']],
  ['wrong tests', ['abc350_c', 'arc189_a', 'apply-operations-to-make-string-empty', 'most-frequent-ids']],
];
const reasonOf = new Map(errata.flatMap(([reason, names]) => names.map((name) => [name, reason] as const)));

/** The mark of a problem with a known fault, which stays in the benchmark; null for all others. */
function knownErrata(id: string, title: string): Omit<ProblemMark, 'problemId'> | null {
  const slug = title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const reason = reasonOf.get(id) ?? reasonOf.get(slug);
  return reason === undefined ? null : { reason: `${reason} (${SOURCE})`, exclude: false };
}

/** The field that has nearly all of a row's bytes. */
export const PRIVATE_FIELD = 'private_test_cases';

/** 6 s a test (its testing_util); the wall limit is wider so that a busy machine changes no verdict. */
export const liveCodeBenchLimits: GradingLimits = {
  cpuSeconds: 6,
  wallSeconds: 30,
  memoryBytes: 4 * GIBIBYTE,
  processes: 64,
  outputBytes: 64 * MEBIBYTE,
};

/** A row as published on the hub; `metadata` and the tests are JSON in a string. */
const rowSchema = z.object({
  question_title: z.string(),
  question_content: z.string().min(1, 'is empty'),
  platform: z.string().min(1, 'is empty'),
  question_id: taskIdSchema,
  contest_date: z.string().regex(/^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/, 'is not a date like 2025-01-31'),
  starter_code: z.string(),
  difficulty: difficultySchema,
  public_test_cases: z.string(),
  metadata: z.string(),
});
const metadataSchema = z.object({ func_name: z.string().nullish() });

const testSchema = z.object({
  input: z.string(),
  output: z.string(),
  testtype: z.enum(['stdin', 'functional']),
});

/** What its tests are follows from the row's metadata, not from each test's own `testtype` (testing_util.py). */
export type LiveCodeBenchTestKind = 'stdin' | 'call';

/** One entry of a list of tests. The error is the end of a sentence. */
export function liveCodeBenchTest(value: unknown, kind: LiveCodeBenchTestKind): Result<TestCase, string> {
  const test = rowOf(value, testSchema);
  if (!test.ok) return failed(test.error.message);
  return ok({ kind, input: test.value.input, expected: test.value.output });
}

function testsOf(text: string, kind: LiveCodeBenchTestKind): Result<TestCase[], string> {
  const size = withinRowSize(text);
  if (!size.ok) return failed(size.error);
  const list = parsedJson(text);
  if (!Array.isArray(list)) return failed('is not a JSON list in a string.');
  const tests: TestCase[] = [];
  for (const [i, value] of list.entries()) {
    const test = liveCodeBenchTest(value, kind);
    if (!test.ok) return failed(`has an entry ${i + 1} that ${test.error}`);
    tests.push(test.value);
  }
  return ok(tests);
}

/** A row without its private tests; `privateTests` has the public ones so far, which count in the end as well. */
export function liveCodeBenchProblem(row: string): Result<ImportedRow, string> {
  const parsed = rowOf(parsedJson(row), rowSchema);
  if (!parsed.ok) return failed(parsed.error.message);
  const value = parsed.value;
  const metadata = metadataSchema.safeParse(parsedJsonWithin(value.metadata, ROW_SIZE));
  if (!metadata.success) return failed('has a "metadata" that is not a JSON object in a string.');
  const entryPoint = metadata.data.func_name ?? null;
  const tests = testsOf(value.public_test_cases, entryPoint === null ? 'stdin' : 'call');
  if (!tests.ok) return failed(`has a "public_test_cases" that ${tests.error}`);
  const marks = knownErrata(value.question_id, value.question_title);
  return ok({
    problem: {
      id: value.question_id,
      title: value.question_title,
      statement: value.question_content,
      entryPoint,
      starterCode: value.starter_code,
      difficulty: value.difficulty,
      date: value.contest_date.slice(0, 10),
      platform: value.platform,
      skills: [],
      publicTests: tests.value,
      privateTests: tests.value,
      canonicalProgram: null,
    },
    ...(marks === null ? {} : { marks: [marks] }),
  });
}

/**
 * The version tag of published files: test.jsonl is v1, test6.jsonl is v6; the first so many are a release, a part of
 * them a range (its data set script). Null if a name has another form.
 */
export function liveCodeBenchVersion(fileNames: readonly string[]): string | null {
  const numbers: number[] = [];
  for (const name of fileNames) {
    const match = /^test(\d*)\.jsonl(?:\.gz)?$/.exec(name);
    if (match === null) return null;
    numbers.push(match[1] === '' ? 1 : Number(match[1]));
  }
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (sorted.length === 1) return `v${first}`;
  if (last - first + 1 !== sorted.length) return sorted.map((n) => `v${n}`).join('+');
  return first === 1 ? `release_v${last}` : `v${first}_v${last}`;
}
