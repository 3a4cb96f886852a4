import { afterEach, expect, test } from 'vitest';
import type { GradeRequest, Grader } from '../../../main/grading';
import type { TestCase, Verdict } from '../../../preload/contract';
import { grade, openGrader, PATIENT_POLL, SOON_OVER } from './sandbox';

// Programs that use up the time limit of a test, in a real sandbox.

let opened: Grader[] = [];
afterEach(async () => {
  for (const grader of opened) await grader.dispose();
  opened = [];
});

async function open(concurrency: number): Promise<Grader> {
  const grader = await openGrader(concurrency);
  opened.push(grader);
  return grader;
}

/** Prints what it reads; for ever busy where that is "slow", and wrong where it is "bad". */
const PROGRAM = `word = input()
while word == "slow":
    pass
print("good" if word == "bad" else word)
`;
const PASSED = 'passed';
const [WRONG, TIME]: Verdict[] = ['wrong-answer', 'time-limit'];

const requestOf = (words: string, program = PROGRAM): Partial<GradeRequest> => ({
  program,
  tests: words.split(' ').map((word): TestCase => ({ kind: 'stdin', input: `${word}\n`, expected: word })),
  limits: SOON_OVER,
});
const verdictsOf = (grade: { readonly results: readonly { readonly verdict: Verdict }[] }): Verdict[] =>
  grade.results.map(({ verdict }) => verdict);

test.each([
  ['ok slow ok slow slow', [PASSED, TIME]],
  ['bad ok slow ok slow', [WRONG, PASSED, TIME]],
  ['slow ok', [TIME]],
  ['ok bad ok', [PASSED, WRONG, PASSED]],
  ['ok ok slow', [PASSED, PASSED, TIME]],
])(
  '%s: nothing runs behind the first time limit, and the verdict is that of all tests',
  async (words, expected) => {
    const grader = await open(1);
    const whole = await grade(grader, requestOf(words));
    const stopped = await grade(grader, { ...requestOf(words), stopAtTimeLimit: true });
    expect(verdictsOf(stopped)).toEqual(expected);
    expect(verdictsOf(whole).slice(0, expected.length)).toEqual(expected);
    expect([whole.verdict, whole.results.length]).toEqual([stopped.verdict, words.split(' ').length]);
  },
);

test('of 17 tests that all take too long one is run', async () => {
  const grader = await open(1);
  const words = Array.from({ length: 17 }, () => 'slow').join(' ');
  const { verdict, results } = await grade(grader, { ...requestOf(words), stopAtTimeLimit: true });
  expect([verdict, verdictsOf({ results })]).toEqual([TIME, [TIME]]);
  // The sandbox that had the others is gone: the next program is graded as ever.
  expect((await grade(grader, requestOf('ok bad'))).verdict).toBe(WRONG);
});

test('where each verdict is wanted the further tests run beside each other, with the same verdicts', async () => {
  const words = 'ok slow ok slow bad slow ok slow';
  const expected = [PASSED, TIME, PASSED, TIME, WRONG, TIME, PASSED, TIME];
  const [one, four] = [await open(1), await open(4)];
  expect(verdictsOf(await grade(one, requestOf(words)))).toEqual(expected);
  const graded = grade(four, requestOf(words));
  // There is no other program.
  await expect.poll(() => four.statistics().running, PATIENT_POLL).toBeGreaterThan(1);
  expect(verdictsOf(await graded)).toEqual(expected);
});

test('slow programs that hold all sandboxes do not wait for each other', async () => {
  const grader = await open(2);
  const graded = await Promise.all(
    Array.from({ length: 6 }, (_, i) => grade(grader, requestOf('slow ok slow ok', `${PROGRAM}# ${i}\n`))),
  );
  for (const one of graded) expect(verdictsOf(one)).toEqual([TIME, PASSED, TIME, PASSED]);
  expect(grader.statistics()).toMatchObject({ queued: 0, running: 0, faults: 0 });
});

test('a slow program that is cancelled leaves its sandboxes at once', async () => {
  const grader = await open(2);
  const leaving = new AbortController();
  const request = {
    ...{ entryPoint: null, stopAtFirstFailure: false, program: PROGRAM, tests: [] },
    ...requestOf('slow slow slow slow'),
  };
  const cancelled = grader.grade({ ...request, limits: { ...SOON_OVER, cpuSeconds: 1 } }, leaving.signal);
  await expect.poll(() => grader.statistics().running).toBeGreaterThan(0);
  leaving.abort();
  expect(await cancelled).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  await expect.poll(() => grader.statistics().running, PATIENT_POLL).toBe(0);
  expect((await grade(grader, requestOf('ok'))).verdict).toBe('passed');
});
