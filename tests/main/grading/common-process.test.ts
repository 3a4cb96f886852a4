import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Grader } from '../../../main/grading';
import { launcherOf } from '../../../main/grading/open-launcher';
import { createGrader } from '../../../main/grading/sandbox-grader';
import type { Grade, TestCase } from '../../../preload/contract';
import { corpus } from './agreement/corpus';
import { grade, LIMITS, PATIENT_POLL, RESOURCES } from './sandbox';

// Harmless programs run in a common process. What they must not do to each other is in hostile/escapes.test.ts.

let together: Grader;
let separate: Grader;
beforeAll(async () => {
  const launcher = await launcherOf(RESOURCES, ['shared']);
  if (!launcher.ok) throw new Error(launcher.error.message);
  together = createGrader(launcher.value, 2);
  separate = createGrader({ ...launcher.value, dispose: async () => undefined }, 2, {
    sharesProcesses: false,
  });
});
afterAll(async () => {
  await separate.dispose();
  await together.dispose();
});

const stdin = (input: string, expected = ''): TestCase => ({ kind: 'stdin', input, expected });
/** What a person sees of a grade, without addresses and times. */
const summaryOf = ({ verdict, results }: Grade) => [
  verdict,
  ...results.map((one) =>
    [one.verdict, one.actual, one.error].map((text) => text?.replaceAll(/0x[0-9a-f]+/g, '0x') ?? null),
  ),
];
const countOf = () => together.statistics().together;

test.each([false, true])(
  'every program of the corpus says the same in both processes (stop at the first failure: %s)',
  async (stopAtFirstFailure) => {
    const limits = { ...LIMITS, cpuSeconds: 2, wallSeconds: 6 };
    // With one test there is nothing to stop before.
    const programs = corpus.filter(
      ({ tests }) =>
        tests.every(({ kind }) => kind !== 'reference') && (tests.length > 1 || !stopAtFirstFailure),
    );
    const before = countOf();
    const different = await Promise.all(
      programs.map(async ({ id, program, entryPoint, tests }) => {
        const request = { program, entryPoint, tests, limits, stopAtFirstFailure };
        const [first, second] = await Promise.all([grade(together, request), grade(separate, request)]);
        return JSON.stringify(summaryOf(first)) === JSON.stringify(summaryOf(second))
          ? []
          : [[id, first, second]];
      }),
    );
    expect(different.flat()).toEqual([]);
    expect(countOf() - before).toBeGreaterThan(programs.length / 3);
  },
);

const DEPTH = `n = 0
def depth():
    global n
    n += 1
    depth()
def f():
    try: depth()
    except RecursionError: return n
`;
test.each<[string, string, TestCase]>([
  ['stdin', `import sys\nsys.setrecursionlimit(3000)\n${DEPTH}print(f())`, stdin('')],
  ['call', `import sys\nsys.setrecursionlimit(3000)\n${DEPTH}`, { kind: 'call', input: '', expected: '0' }],
  ['check', DEPTH, { kind: 'check', source: 'raise ValueError(f())' }],
])('a %s program can recurse as deep in both processes', async (_kind, program, one) => {
  const request = { program, entryPoint: 'f', tests: [one] };
  const before = countOf();
  const own = summaryOf(await grade(separate, request));
  // Python specializes code that it has called often, which may change the depth. On a busy computer some of these
  // programs get a process of their own, so that more of them are needed.
  for (let i = 0; i < 400 && countOf() < before + 40; i++) {
    expect(summaryOf(await grade(together, { ...request, program: `${program}# ${i}` }))).toEqual(own);
  }
  expect(countOf()).toBe(before + 40);
});

test('many requested at once share a process, and each gets its own results', async () => {
  const before = countOf();
  const grades = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      grade(together, {
        program: `print(int(input()) + ${i})`,
        tests: [stdin('1', `${i + 1}`), stdin('2', '0')],
      }),
    ),
  );
  expect(grades.map(({ results }) => results.map(({ verdict, actual }) => [verdict, actual]))).toEqual(
    grades.map((_, i) => [
      ['passed', `${i + 1}\n`],
      ['wrong-answer', `${i + 2}\n`],
    ]),
  );
  // All 200, except on a busy computer.
  expect(countOf()).toBeGreaterThan(before + 100);
});

test('chance comes out the same for each test of each program, whoever drew before', async () => {
  const programs = [
    'import random\nprint(random.random())',
    'from random import random as draw\nprint(draw())',
    'from random import *\nprint(random())',
    'def f(): return random.uniform(0, 1)\nprint(f())',
    'import random as r\nr.seed(5)\nr.random()\nr.seed(0)\nprint(r.random())',
  ];
  const all = [...programs, ...programs].map((program, i) =>
    grade(together, { program: `${program}# ${i}`, tests: [stdin(''), stdin('x')] }),
  );
  const drawn = (await Promise.all(all)).flatMap(({ results }) => results.map(({ actual }) => actual));
  expect(new Set(drawn)).toEqual(new Set(['0.8444218515250481\n']));
});

test('one that takes long is decided alone, within its own limit, and those beside it are not hurt', async () => {
  const loop = grade(together, { program: 'while True: pass', tests: [stdin('')] });
  const slow = grade(together, {
    program: 'n = int(input())\nfor _ in range(n * 6_000_000): pass\nprint(n)',
    tests: [stdin('0', '0'), stdin('1', '1'), stdin('0', '0')],
  });
  const others = Array.from({ length: 20 }, (_, i) =>
    grade(together, { program: `print(${i})`, tests: [stdin('', `${i}`)] }),
  );
  for (const { verdict } of await Promise.all(others)) expect(verdict).toBe('passed');
  expect((await slow).results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed']);
  const [result] = (await loop).results;
  expect(result?.verdict).toBe('time-limit');
  expect(result?.cpuMs).toBeGreaterThan(500 * LIMITS.cpuSeconds);
});

test('tests after the first failure are left out of the results unless requested', async () => {
  const request = {
    program: 'print(1 // int(input()))',
    tests: [stdin('1', '1'), stdin('0'), stdin('1', '1')],
  };
  const { results } = await grade(together, { ...request, stopAtFirstFailure: true });
  expect(results.map(({ verdict }) => verdict)).toEqual(['passed', 'runtime-error']);
});

test('a slow test after one that has no verdict yet is judged all the same', async () => {
  const program = 'n = int(input())\nfor _ in range(n * 1_000_000): pass\nprint(n)';
  const tests = [stdin('0', '0'), stdin('1', '1'), stdin('2', '2'), stdin('0', '0')];
  const stopping = { program, tests, stopAtFirstFailure: true };
  const passing = await grade(together, stopping);
  expect(passing.results.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed', 'passed']);
  const late = await grade(together, { ...stopping, tests: [...tests, stdin('1', '?'), stdin('0', '0')] });
  expect(late.results.map(({ verdict }) => verdict)).toEqual([...tests.map(() => 'passed'), 'wrong-answer']);
  const endless = { program: program.replace('1_000_000', '10 ** 18'), tests: [stdin('0', '?'), stdin('1')] };
  const early = await grade(together, { ...endless, stopAtFirstFailure: true });
  expect(early.results.map(({ verdict }) => verdict)).toEqual(['wrong-answer']);
});

test('too much output, memory or time is decided in a separate process', async () => {
  const limits = { ...LIMITS, outputBytes: 100 };
  const long = await grade(together, { program: 'print("x" * 200)', tests: [stdin('')], limits });
  expect(long.verdict).toBe('output-limit');
  const large = await grade(together, { program: 'x = [0] * 10 ** 9', tests: [stdin('')] });
  expect(large.verdict).toBe('memory-limit');
});

test('a cancelled candidate leaves the queue', async () => {
  const controller = new AbortController();
  const program = 'while True: pass  # cancelled';
  const grading = together.grade(
    { program, entryPoint: null, tests: [stdin('1', '1')], limits: LIMITS, stopAtFirstFailure: false },
    controller.signal,
  );
  controller.abort();
  expect(await grading).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  await expect.poll(() => together.statistics().queued, PATIENT_POLL).toBe(0);
});
