import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok } from '../../../main/base';
import type { TestCase } from '../../../preload/contract';
import { readCsv } from '../../e2e/support/csv';
import { openStudyBench, recordedServer } from '../../support/study-bench';
import { makeTemporaryFolder } from '../../support/temporary-folder';
import { openGrader } from '../grading/sandbox';

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.dispose());

const tests = (words: readonly string[]): TestCase[] =>
  words.map((word) => ({ kind: 'stdin', input: `${word}\n`, expected: word }));

/** For ever busy where it reads "slow". */
const SLOW = 'word = input()\nwhile word == "slow":\n    pass\nprint(word)\n';

test('a slow program gets its whole public score, and its private tests end at the first time limit', async () => {
  const grader = await openGrader(2);
  const lab = await openStudyBench({
    folder: folder.path,
    openGrader: async () => ok(grader),
    answer: ({ ordinal }) => (ordinal === 0 ? SLOW : 'print(input())\n'),
    problems: 1,
    nodes: 2,
    problem: (problem) => ({
      ...problem,
      entryPoint: null,
      publicTests: tests(['slow', 'a', 'slow', 'b']),
      privateTests: tests(['c', ...Array.from({ length: 17 }, () => 'slow'), 'd']),
    }),
  });
  await lab.add('one', 1, recordedServer());
  expect((await lab.studies.start('one')).ok).toBe(true);
  await lab.ended('one');
  const rows = readCsv(await lab.nodesCsv('one'));
  const shown = rows.map(({ public_score, public_verdicts, private_verdict, private_verdicts }) => [
    ...[public_score, public_verdicts, private_verdict, private_verdicts],
  ]);
  expect(shown[0]).toEqual(['0.5', 'time-limit passed time-limit passed', 'time-limit', 'passed time-limit']);
  expect(shown[1]).toEqual([
    '1',
    'passed passed passed passed',
    'passed',
    Array(19).fill('passed').join(' '),
  ]);
  await lab.studies.close();
  await grader.dispose();
});
