import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok } from '../../../main/base';
import type { Grader } from '../../../main/grading';
import { launcherOf } from '../../../main/grading/open-launcher';
import { createGrader } from '../../../main/grading/sandbox-grader';
import type { Problem, TestCase } from '../../../preload/contract';
import { openStudyBench, recordedServer } from '../../support/study-bench';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { faulty } from '../grading/faulty-judge';
import { RESOURCES } from '../grading/sandbox';

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
const graders: Grader[] = [];
beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(async () => {
  for (const grader of graders.splice(0)) await grader.dispose();
  await folder.dispose();
});

/** The real sandbox, perhaps with a judge that fails. */
async function openSandbox(judge: Parameters<typeof createGrader>[2] = {}): Promise<Grader> {
  const launcher = await launcherOf(RESOURCES, ['shared']);
  if (!launcher.ok) throw new Error(launcher.error.message);
  const grader = createGrader(launcher.value, 2, judge);
  graders.push(grader);
  return grader;
}

const doubles = (inputs: string): TestCase => ({
  kind: 'reference',
  inputs,
  reference: 'def f(x):\n    return x * 2',
  tolerance: 0,
});
const PUBLIC = doubles('[[1]]');
const PRIVATE = doubles('[[2]]');
const problem = (generated: Problem): Problem => ({
  ...generated,
  entryPoint: 'f',
  publicTests: [PUBLIC],
  privateTests: [PRIVATE],
});

/** Tells a value nested so deeply, by taking the encoder's place. */
const telling = (depth: number): string => `
import json
real = json.dumps
deep = '{"value": ' + '["list",[' * ${depth} + ']]' * ${depth} + ', "seconds": 0}'
json.dumps = lambda told, **more: deep if "value" in told else real(told, **more)
def f(x): return x`;
const ANSWERS = [telling(200_000), telling(50_000), 'def f(x): return x + x', 'def f(x): return x'];

function openBench(openGrader: () => Promise<Grader>) {
  return openStudyBench({
    folder: folder.path,
    openGrader: async () => ok(await openGrader()),
    answer: ({ ordinal }) => ANSWERS[ordinal % ANSWERS.length] ?? '',
    problems: 1,
    nodes: ANSWERS.length,
    problem,
  });
}

/** Public and private verdicts, in the order of the nodes. */
function verdictsOf(csv: string): string[] {
  const [head = '', ...rows] = csv.trim().split('\n');
  const columns = head.split(',');
  const [first, second] = [columns.indexOf('public_verdict'), columns.indexOf('private_verdict')];
  return rows.map((row) => `${row.split(',')[first]}, ${row.split(',')[second]}`);
}

test('values nested 200,000 deep are verdicts, and a study that died of one is resumed', async () => {
  const sandbox = await openSandbox();
  // As it was: the error reached the study, which ended, and after each start again.
  const dying: Grader = {
    ...sandbox,
    grade: async () => {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  let grader = dying;
  const lab = await openBench(async () => grader);
  await lab.add('one', 1, recordedServer());
  await lab.studies.start('one');
  await lab.ended('one', 'failed');
  expect(lab.stateOf('one')).toMatchObject({ message: expect.stringContaining('call stack size') });

  grader = sandbox;
  expect(await lab.studies.start('one')).toEqual({ ok: true, value: null });
  await lab.ended('one');
  expect(verdictsOf(await lab.nodesCsv('one'))).toEqual([
    'output-limit, output-limit',
    'runtime-error, runtime-error',
    'passed, passed',
    'wrong-answer, wrong-answer',
  ]);
  await lab.studies.close();
});

test('nodes on whose private tests the judge fails say so, and the study goes on to its end', async () => {
  const judge = faulty(({ tests, program }) => tests[0] === PRIVATE && !program.includes('json'));
  const lab = await openBench(() => openSandbox(judge));
  await lab.add('one', 1, recordedServer());
  await lab.studies.start('one');
  await lab.ended('one');
  expect(verdictsOf(await lab.nodesCsv('one'))).toEqual([
    'output-limit, output-limit',
    'runtime-error, runtime-error',
    'passed, grader-fault',
    'wrong-answer, grader-fault',
  ]);
  expect(judge.thrown()).toBe(4);
  await lab.studies.close();
});

test('a judge that fails on public tests costs these trials, not the study', async () => {
  const judge = faulty(({ tests, program }) => tests[0] === PUBLIC && program === ANSWERS[2]);
  const lab = await openBench(() => openSandbox(judge));
  await lab.add('one', 1, recordedServer());
  await lab.studies.start('one');
  await lab.ended('one');
  const verdicts = verdictsOf(await lab.nodesCsv('one'));
  expect(verdicts).toHaveLength(ANSWERS.length);
  expect(verdicts).not.toContain('passed, passed');
  expect(judge.thrown()).toBeGreaterThan(0);
  await lab.studies.close();
});
