import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import type { TestCase, Verdict } from '../../../preload/contract';
import { grade, LIMITS, openGrader } from './sandbox';

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader();
});
afterAll(() => grader.dispose());

async function verdictOf(program: string | null, one: TestCase, entryPoint: string | null = null): Promise<Verdict> {
  return (await grade(grader, { program, entryPoint, tests: [one] })).verdict;
}

const stdin = (input: string, expected: string): TestCase => ({ kind: 'stdin', input, expected });
const call = (input: string, expected: string): TestCase => ({ kind: 'call', input, expected });

test('a program that prints the expected output passes', async () => {
  expect(await verdictOf('print(int(input()) * 2)', stdin('21\n', '42\n'))).toBe('passed');
});

test('every verdict class has its program', async () => {
  const cases: [Verdict, string | null][] = [
    ['passed', 'print("a")'],
    ['wrong-answer', 'print("b")'],
    ['runtime-error', '1 / 0'],
    ['time-limit', 'while True: pass'],
    ['memory-limit', 'x = [0] * 10**9'],
    ['output-limit', 'while True: print("a" * 1000)'],
    ['no-code', null],
  ];
  for (const [verdict, program] of cases) {
    expect([program, await verdictOf(program, stdin('', 'a'))]).toEqual([program, verdict]);
  }
});

