import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import type { TestCase, Verdict } from '../../../preload/contract';
import { grade, LIMITS, openGrader } from './sandbox';

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader();
});
afterAll(() => grader.dispose());

/** What LiveCodeBench's own grader (evaluation/testing_util.py, commit 28fef95) answers. */
const vectors: readonly [claim: string, verdict: Verdict, program: string, test: TestCase][] = [
  [
    '"1.50 2" counts as "1.5 2.0"',
    'passed',
    'print("1.50 2")',
    { kind: 'stdin', input: '', expected: '1.5 2.0' },
  ],
  ['0.1 + 0.2 is not 0.3', 'wrong-answer', 'print(0.1 + 0.2)', { kind: 'stdin', input: '', expected: '0.3' }],
  ['"yes" is not "YES"', 'wrong-answer', 'print("yes")', { kind: 'stdin', input: '', expected: 'YES' }],
  [
    'an extra empty line inside',
    'wrong-answer',
    'print("1\\n\\n2")',
    { kind: 'stdin', input: '', expected: '1\n2' },
  ],
  ['right, then sys.exit(0)', 'passed', 'print(1)\nsys.exit(0)', { kind: 'stdin', input: '', expected: '1' }],
  ['a syntax error', 'runtime-error', 'print(', { kind: 'stdin', input: '', expected: '1' }],
  ['1/0', 'runtime-error', '1/0', { kind: 'stdin', input: '', expected: '1' }],
  ['an endless loop', 'time-limit', 'while 1: pass', { kind: 'stdin', input: '', expected: '1' }],
  [
    'the tuple (1, 2) counts as [1, 2]',
    'passed',
    'def f(): return (1, 2)',
    { kind: 'call', input: '', expected: '[1, 2]' },
  ],
  ['True counts as 1', 'passed', 'def f(): return True', { kind: 'call', input: '', expected: '1' }],
  [
    '0.1 + 0.2 returned is not 0.3',
    'wrong-answer',
    'def f(): return 0.1 + 0.2',
    { kind: 'call', input: '', expected: '0.3' },
  ],
  ['a missing function', 'runtime-error', 'def g(): return 1', { kind: 'call', input: '', expected: '1' }],
];

for (const [claim, verdict, program, one] of vectors) {
  test(`LiveCodeBench: ${claim}: ${verdict}`, async () => {
    expect((await grade(grader, { program, entryPoint: 'f', tests: [one] })).verdict).toBe(verdict);
  });
}

test('LiveCodeBench: right, wrong, right has two results', async () => {
  const tests: TestCase[] = ['1', '2', '1'].map((input) => ({ kind: 'stdin', input, expected: '1' }));
  const { results } = await grade(grader, {
    program: 'print(input())',
    tests,
    stopAtFirstFailure: true,
    limits: LIMITS,
  });
  expect(results.map((result) => result.verdict)).toEqual(['passed', 'wrong-answer']);
});
