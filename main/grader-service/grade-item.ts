import { setImmediate } from 'node:timers/promises';
import {
  type Grade,
  isFaultVerdict,
  type Problem,
  type Refusal,
  type TestCase,
} from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { LibraryReader } from '../benchmarks';
import {
  type GradeItem,
  type GradeRequest,
  type Grader,
  type ItemResult,
  libraryItemSchema,
  ownItemSchema,
} from '../grading';
import { programOf } from '../search';

/** Limits for a program without a benchmark, if the request names none: those of an own benchmark without limits. */
const USUAL_LIMITS = {
  cpuSeconds: 10,
  wallSeconds: 40,
  memoryBytes: 2 * 1024 ** 3,
  processes: 64,
  outputBytes: 16 * 1024 ** 2,
} as const;

export type ItemDeps = {
  readonly grader: Pick<Grader, 'grade'>;
  /** null: no library is served, and items must bring their tests. */
  readonly library: LibraryReader | null;
};

type ResultSettings = Pick<Exclude<ItemResult, { error: unknown }>, 'extraction' | 'rules' | 'mode'>;

/** The source of an item's tests: its own, or a problem of the library. */
type Task = {
  readonly problem: Pick<Problem, 'starterCode' | 'entryPoint' | 'publicTests' | 'privateTests'>;
  readonly tests: readonly TestCase[];
  readonly limits: GradeRequest['limits'];
  readonly rules: ResultSettings['rules'];
};

/** The answer to one item of a batch. Whatever the item is, it is an answer; never rejects. */
export async function gradeItem(
  value: unknown,
  details: boolean,
  { grader, library }: ItemDeps,
  signal: AbortSignal,
): Promise<ItemResult> {
  const schema = isOfLibrary(value) ? libraryItemSchema : ownItemSchema;
  const parsed = schema.safeParse(value);
  const id = idOf(value);
  if (!parsed.success)
    return { ...id, error: { code: 'bad-item', message: issueOf(parsed.error.issues[0]) } };
  const item = parsed.data;
  if ((item.answer === undefined) === (item.program === undefined)) {
    const message = 'An item has either an answer or a program.';
    return { ...id, error: { code: 'bad-item', message } };
  }
  const task = await taskOf(item, library);
  if (!task.ok) {
    const code = task.error.code === 'not-found' ? 'not-found' : 'bad-item';
    return { ...id, error: { code, message: task.error.message } };
  }
  const { tests, rules, problem } = task.value;
  const { answer, extraction, mode, stopAtFirstFailure, stopAtTimeLimit } = item;
  const settings: ResultSettings = { extraction: answer === undefined ? null : extraction, rules, mode };
  const graded = await grader.grade(
    {
      program:
        answer === undefined ? (item.program ?? null) : await programIn(answer, extraction, problem, signal),
      entryPoint: problem.entryPoint,
      tests,
      limits: { ...task.value.limits, ...definedOf(item.limits) },
      stopAtFirstFailure,
      stopAtTimeLimit,
      rules,
      mode,
    },
    signal,
  );
  if (!graded.ok) return { ...id, error: { code: 'unavailable', message: graded.error.message } };
  return { ...id, ...gradedResult(graded.value, tests.length, details), ...settings };
}

function gradedResult({ verdict, results }: Grade, tests: number, details: boolean) {
  const isUnjudged = tests === 0 || results.some((result) => isFaultVerdict(result.verdict));
  const passed = results.filter((result) => result.verdict === 'passed').length;
  return {
    verdict,
    score: isUnjudged ? null : passed / tests,
    // Why nothing was judged is always said.
    tests: results.map(({ actual, error, ...rest }) =>
      details ? { ...rest, actual, error } : isFaultVerdict(rest.verdict) ? { ...rest, error } : rest,
    ),
    seconds: results.reduce((sum, { wallMs }) => sum + wallMs, 0) / 1_000,
  };
}

let lastParsed: Promise<unknown> = Promise.resolve();

/**
 * The program in an answer. To find the last block that is Python may take a fifth of a second, so that is done for one
 * answer at a time, with other requests served in between.
 */
async function programIn(
  answer: string,
  extraction: GradeItem['extraction'],
  problem: Task['problem'],
  signal: AbortSignal,
): Promise<string | null> {
  if (extraction !== 'python-fence') return programOf(answer, { extraction, sampling: {} }, problem);
  const parsed = lastParsed
    .then(() => setImmediate())
    .then(() => (signal.aborted ? null : programOf(answer, { extraction, sampling: {} }, problem)));
  lastParsed = parsed.catch(() => undefined);
  return parsed;
}

async function taskOf(item: GradeItem, library: LibraryReader | null): Promise<Result<Task, Refusal>> {
  if (!('problem' in item)) {
    const { tests, starterCode, entryPoint, rules } = item;
    const problem = { starterCode, entryPoint, publicTests: tests, privateTests: [] };
    return ok({ problem, tests, limits: USUAL_LIMITS, rules });
  }
  if (library === null) {
    const message = 'This grader service has no library: send the tests with the item.';
    return failed({ code: 'not-found', message });
  }
  const loaded = await library.problem(item.problem.benchmark, item.problem.id);
  if (!loaded.ok) return loaded;
  const { problem, benchmark } = loaded.value;
  const tests = testsOf(problem, item.problem.tests);
  return ok({ problem, tests, limits: benchmark.limits, rules: benchmark.rules });
}

/** All tests of a problem, made once: the cache of verdicts knows tests by their list. */
const allTests = new WeakMap<Problem, readonly TestCase[]>();

function testsOf(problem: Problem, part: 'all' | 'public' | 'private'): readonly TestCase[] {
  if (part === 'public') return problem.publicTests;
  if (part === 'private') return problem.privateTests;
  const all = allTests.get(problem) ?? [...problem.publicTests, ...problem.privateTests];
  allTests.set(problem, all);
  return all;
}

/** The caller's name of an item, even of one that cannot be read. */
function idOf(value: unknown): { id?: string } {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' && id.length <= 400 ? { id } : {};
}

function isOfLibrary(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'problem' in value;
}

/** The first thing that is wrong, in bounds: the item wrote a part of it. */
function issueOf(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): string {
  const path = issue?.path.map(String).join('.') ?? '';
  return `${path === '' ? 'The item' : path.slice(0, 200)}: ${(issue?.message ?? 'is not valid').slice(0, 500)}`;
}

/** Without the fields that are undefined, which would hide the benchmark's. */
function definedOf(limits: GradeItem['limits']): Partial<GradeRequest['limits']> {
  return Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined));
}
