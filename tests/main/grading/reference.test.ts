import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import type { TestCase, Verdict } from '../../../preload/contract';
import { grade, openGrader } from './sandbox';

let grader: Grader;
beforeAll(async () => {
  grader = await openGrader();
});
afterAll(() => grader.dispose());

type Reference = Extract<TestCase, { kind: 'reference' }>;

const json = (inputs: string, reference: string, tolerance = 0): Reference => ({
  kind: 'reference',
  inputs,
  reference,
  tolerance,
});
const python = (inputs: string, reference: string): Reference => ({
  ...json(inputs, reference),
  inputsForm: 'python',
});
const double = 'def f(x):\n    return x * 2';

test.each<[claim: string, verdict: Verdict, program: string, one: Reference]>([
  ['what the reference gives passes', 'passed', 'def f(x): return x + x', json('[[1], ["a"]]', double)],
  ['anything else is wrong', 'wrong-answer', 'def f(x): return x', json('[[1]]', double)],
  ['a call that raises', 'runtime-error', 'def f(x): raise KeyError', json('[[1]]', double)],
  ['an endless call', 'time-limit', 'def f(x):\n    while True: pass', json('[[1]]', double)],
  ['floats within the tolerance', 'passed', 'def f(x): return x * 2 + 1e-9', json('[[0.1]]', double, 1e-6)],
  ['inputs that are no JSON: tuples stay tuples', 'passed', double, python('[[(1, 2)]]', double)],
  ['and are told from lists', 'wrong-answer', 'def f(x): return list(x) * 2', python('[[(1, 2)]]', double)],
  [
    'integers of a million digits',
    'passed',
    'def f(x): return [-(10 ** x), 10 ** x]',
    json('[[1000000], [308], [309]]', 'def f(x): return [-(2 ** x * 5 ** x), 2 ** x * 5 ** x]'),
  ],
  [
    'which differ in the last one',
    'wrong-answer',
    'def f(x): return 10 ** x + 1',
    json('[[1000000]]', 'def f(x): return 10 ** x', 1e-6),
  ],
  [
    'and are no floats, nor near to any',
    'wrong-answer',
    'def f(x): return 10 ** x',
    json('[[400]]', 'def f(x): return 1e300', 1e-6),
  ],
  [
    'lists of them are not near to lists of floats',
    'wrong-answer',
    'def f(x): return [-(10 ** x)]',
    json('[[400]]', 'def f(x): return [1e300]', 1e-6),
  ],
  [
    'sets and complex numbers',
    'passed',
    'def f(x): return x',
    python('[[{1, 2}], [1j]]', 'def f(x): return x'),
  ],
])('%s', async (_claim, verdict, program, one) => {
  const graded = await grade(grader, { program, entryPoint: 'f', tests: [one] });
  expect(graded.verdict).toBe(verdict);
});

/** Its calls with an argument above 0 take so long that they are made in two runs. */
const slow = (body: string) => `def f(x):\n    for _ in range(x * 3_000_000): pass\n    ${body}`;
const calls = json('[[0], [1], [1], [2], [0]]', double);

test.each<[claim: string, verdict: Verdict, error: string | null, body: string]>([
  ['passes', 'passed', null, 'return x * 2'],
  ['is wrong before the pause', 'wrong-answer', 'Input 2 of 5', 'return x and 7'],
  ['is wrong behind the pause', 'wrong-answer', 'Input 4 of 5', 'return 7 if x == 2 else x * 2'],
  ['raises behind the pause', 'runtime-error', 'Input 4 of 5', 'return x * 2 if x < 2 else 1 // 0'],
])('a program whose calls take long %s', async (_claim, verdict, error, body) => {
  for (const reading of ['as-program', 'as-published'] as const) {
    const request = {
      program: slow(body),
      entryPoint: 'f',
      tests: [calls, calls],
      rules: 'evalplus' as const,
    };
    const graded = await grade(grader, { ...request, mode: reading });
    expect(graded.results.map((one) => one.verdict)).toEqual([verdict, verdict]);
    for (const one of graded.results) expect(one.error?.slice(0, 12) ?? null).toBe(error);
  }
});

test('what one call leaves behind is found by the next, paused or not', async () => {
  const program = `n = [0]\n${slow('n[0] += x; return n[0]')}`;
  const sums = json('[[0], [1], [1], [2], [0]]', 'n = [0]\ndef f(x):\n    n[0] += x\n    return n[0]');
  expect((await grade(grader, { program, entryPoint: 'f', tests: [sums] })).verdict).toBe('passed');
});

test.each([
  [
    'ends itself as the pause would',
    'import os\ndef f(x): os.kill(os.getpid(), 26)',
    /^The program was ended by SIGVTALRM/,
  ],
  [
    'says that it paused',
    `import os\ndef f(x):\n    if x: os.write(3, b'{"end": "paused"}\\n')\n    return x * 2`,
    /^The program damaged the report/,
  ],
])('a program that %s is not passed', async (_claim, program, error) => {
  const { results } = await grade(grader, { program, entryPoint: 'f', tests: [calls] });
  expect(results).toMatchObject([{ verdict: 'runtime-error', error: expect.stringMatching(error) }]);
});

test('behind a wrong value that took long no call is made', async () => {
  const program = slow('return 7 if x < 2 else f(9 ** 9)');
  const { results } = await grade(grader, { program, entryPoint: 'f', tests: [calls] });
  expect(results[0]?.error).toMatch(/^Input 1 of 5 /);
  // The least limit of an endless call is 4 s.
  expect(results[0]?.cpuMs).toBeLessThan(4_000);
});

test('a reference that fails is our fault, never the candidate’s', async () => {
  const broken = json('[[1]]', 'def f(x): return 1 / 0');
  const graded = await grade(grader, { program: double, entryPoint: 'f', tests: [broken] });
  expect(graded.verdict).toBe('sandbox-fault');
});
