import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gradeRows, outputRefusal, writeGradedRows } from '../../../main/app/grade-file';
import { ok } from '../../../main/base';
import { createBenchmarkLibrary } from '../../../main/benchmarks';
import { gradedRowText } from '../../../main/cli/grader-commands';
import type { Grader } from '../../../main/grading';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const test1 = { kind: 'stdin', input: '1', expected: '1' };
const PROBLEMS = ['a', 'b'].map((id) => ({
  id,
  statement: `Solve ${id}.`,
  publicTests: [test1],
  privateTests: [{ ...test1, input: '2' }],
}));
const ROWS = [
  { question_id: 'a', code_list: ['right', 'wrong'], model: 'm' },
  { task_id: 'b', solution: 'right' },
  { task_id: 'z', solution: 'right' },
];

/** Plays the sandbox: the word "right" passes, if it is run on all tests. */
const grader: Pick<Grader, 'grade'> = {
  grade: async ({ program, tests }) => {
    const passes = program?.includes('right') === true && tests.length === 2;
    if (passes) return ok({ verdict: 'passed', results: [] });
    return ok({ verdict: 'wrong-answer', results: [], missingPackage: 'numpy' });
  },
};

test('each row of a file gets a verdict for each of its programs, and keeps its own keys', async () => {
  const folder = await temporaryFolder();
  const library = createBenchmarkLibrary({ dataDir: folder, clock: () => 0 });
  const problems = join(folder, 'two.jsonl');
  await writeFile(problems, PROBLEMS.map((problem) => JSON.stringify(problem)).join('\n'));
  const { value: benchmark } = await unwrap(library.importBenchmark({ path: problems, format: 'workbench' }));
  const path = join(folder, 'samples.jsonl');
  await writeFile(path, ROWS.map((row) => JSON.stringify(row)).join('\n'));

  const rows = await unwrap(library.recordedPrograms(path, benchmark.id));
  let reported = 0;
  const onProgress = (done: number): void => {
    reported = done;
  };
  const graded = await unwrap(
    gradeRows({ rows, benchmark, grader, signal: new AbortController().signal, onProgress }),
  );
  expect(graded).toEqual([
    { where: 'line 1', problemId: 'a', verdicts: ['passed', 'wrong-answer'], missingPackages: ['numpy'] },
    { where: 'line 2', problemId: 'b', verdicts: ['passed'], missingPackages: [] },
    { where: 'line 3', problemId: null, named: 'z', verdicts: [], missingPackages: [] },
  ]);
  expect(reported).toBe(3);
  expect(graded.map((row) => gradedRowText(row, 'two'))).toEqual([
    'line 1  a  passed, wrong answer',
    'line 2  b  passed',
    'line 3  z  not a problem of two',
  ]);

  const out = join(folder, 'graded.jsonl');
  await unwrap(writeGradedRows(out, rows, graded, false));
  const lines = (await readFile(out, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...ROWS[0], problem_id: 'a', verdicts: ['passed', 'wrong-answer'] },
    { ...ROWS[1], problem_id: 'b', verdicts: ['passed'] },
    { ...ROWS[2], problem_id: null, verdicts: [] },
  ]);
  expect((await writeGradedRows(out, rows, graded, false)).ok).toBe(false);
  expect((await writeGradedRows(out, rows, graded, true)).ok).toBe(true);

  await writeFile(path, JSON.stringify(ROWS[2]));
  expect(await library.recordedPrograms(path, benchmark.id)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('none of its rows names a problem of this benchmark') },
  });
});

test('a file that is there, or a folder that is not, is refused before a program is graded', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'graded.jsonl');
  expect(outputRefusal(path, false)).toBeNull();
  await writeFile(path, '');
  expect(outputRefusal(path, false)).toMatchObject({
    message: `${path} exists already.`,
    hint: 'Choose another name, or replace it with --overwrite.',
  });
  expect(outputRefusal(path, true)).toBeNull();
  expect(outputRefusal(join(folder, 'none', 'x.jsonl'), true)?.message).toBe(
    `The folder ${join(folder, 'none')} does not exist.`,
  );
});
