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
    'sets and complex numbers',
    'passed',
    'def f(x): return x',
    python('[[{1, 2}], [1j]]', 'def f(x): return x'),
  ],
])('%s', async (_claim, verdict, program, one) => {
  const graded = await grade(grader, { program, entryPoint: 'f', tests: [one] });
  expect(graded.verdict).toBe(verdict);
});

test('a reference that fails is our fault, never the candidate’s', async () => {
  const broken = json('[[1]]', 'def f(x): return 1 / 0');
  const graded = await grade(grader, { program: double, entryPoint: 'f', tests: [broken] });
  expect(graded.verdict).toBe('sandbox-fault');
});
