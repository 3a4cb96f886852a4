import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Benchmark, Refusal, TestCase, Value, Verdict } from '../../preload/contract/index';
import { failed, forEachLimited, ok, type Result, shortText } from '../base/index';
import type { RowOfPrograms } from '../benchmarks/index';
import type { Grader } from '../grading/index';
import { systemErrorCode } from '../storage/index';

/** This many are requested at a time; the grader runs as many as it has processors for, and shares equal ones. */
const ASKED_FOR = 64;

/** How much a message shows of a row's task id, or of the text of its task. */
const NAMED_CHARACTERS = 80;

/**
 * Grades all programs of a file's rows on all tests of their problems, public and private. Rows keep their order; the one of
 * an unknown problem has no verdicts.
 */
export async function gradeRows(options: {
  readonly rows: readonly RowOfPrograms[];
  readonly benchmark: Benchmark;
  readonly grader: Pick<Grader, 'grade'>;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}): Promise<Result<Value<'grader.gradeFile'>, Refusal>> {
  const { rows, benchmark, grader, signal, onProgress } = options;
  const verdicts = rows.map(({ programs }) => programs.map((): Verdict => 'unknown'));
  const missing = rows.map((): string[] => []);
  const work = rows.flatMap(({ programs, problem }, row) =>
    problem === null ? [] : programs.map((program, at) => ({ row, at, program, problem })),
  );
  // Made once for each problem: the cache of verdicts knows tests by their list.
  const testsOf = new Map<string, readonly TestCase[]>();
  let done = 0;
  const refusal = await forEachLimited(work, ASKED_FOR, signal, async ({ row, at, program, problem }) => {
    const { id, entryPoint, publicTests, privateTests } = problem;
    const tests = testsOf.get(id) ?? [...publicTests, ...privateTests];
    testsOf.set(id, tests);
    const { limits, rules } = benchmark;
    const request = { program, entryPoint, tests, limits, rules };
    // The verdict is known with the first test that is not passed.
    const grade = await grader.grade({ ...request, stopAtFirstFailure: true }, signal);
    if (!grade.ok) return grade;
    const ofRow = verdicts[row];
    if (ofRow !== undefined) ofRow[at] = grade.value.verdict;
    if (grade.value.missingPackage !== undefined) missing[row]?.push(grade.value.missingPackage);
    done += 1;
    onProgress(done, work.length);
    return grade;
  });
  if (signal.aborted) return failed({ code: 'cancelled', message: 'Grading the file was cancelled.' });
  if (refusal !== null) return failed(refusal);
  return ok(
    rows.map(({ where, problem, named }, at) => ({
      where,
      problemId: problem?.id ?? null,
      ...(problem === null && { named: shortText(named.replace(/\s+/g, ' '), NAMED_CHARACTERS) }),
      verdicts: verdicts[at] ?? [],
      missingPackages: (missing[at] ?? []).sort(),
    })),
  );
}

/** Why rows cannot be written there; asked before the first program is graded. null: they can. */
export function outputRefusal(path: string, overwrite: boolean): Refusal | null {
  if (!existsSync(dirname(path))) {
    return { code: 'bad-input', message: `The folder ${dirname(path)} does not exist.` };
  }
  return overwrite || !existsSync(path) ? null : alreadyExists(path);
}

function alreadyExists(path: string): Refusal {
  const hint = 'Choose another name, or replace it with --overwrite.';
  return { code: 'conflict', message: `${path} exists already.`, hint };
}

/** Writes each row as a line of JSON with `problem_id` and `verdicts` behind its own keys. Replaces no file unasked. */
export async function writeGradedRows(
  path: string,
  rows: readonly RowOfPrograms[],
  graded: Value<'grader.gradeFile'>,
  overwrite: boolean,
): Promise<Result<null, Refusal>> {
  try {
    const file = await open(path, overwrite ? 'w' : 'wx');
    try {
      for (const [at, { row }] of rows.entries()) {
        const { problemId, verdicts } = graded[at] ?? { problemId: null, verdicts: [] };
        const own = typeof row === 'object' && row !== null ? row : {};
        await file.write(`${JSON.stringify({ ...own, problem_id: problemId, verdicts })}\n`);
      }
    } finally {
      await file.close();
    }
    return ok(null);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return failed(alreadyExists(path));
    return failed({ code: 'bad-input', message: `${path} could not be written: ${String(error)}` });
  }
}
