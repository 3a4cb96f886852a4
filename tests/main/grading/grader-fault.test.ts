import { expect, test } from 'vitest';
import { SharedGrades } from '../../../main/grading';
import { launcherOf } from '../../../main/grading/open-launcher';
import { createGrader } from '../../../main/grading/sandbox-grader';
import { faulty } from './faulty-judge';
import { grade, LIMITS, RESOURCES } from './sandbox';

const one = { kind: 'stdin', input: '', expected: 'ok' } as const;

/** A grader with a real sandbox, whose judge throws on programs with the word, so many times. */
async function openFaulty(times: number) {
  const launcher = await launcherOf(RESOURCES, ['shared']);
  if (!launcher.ok) throw new Error(launcher.error.message);
  const judge = faulty(({ program }) => program.includes('FAULT'), times);
  return { grader: createGrader(launcher.value, 2, judge), thrown: judge.thrown };
}

test.each([true, false])(
  'a judge that throws is a grader fault, after a second try (stop: %s)',
  async (stop) => {
    const { grader, thrown } = await openFaulty(Number.POSITIVE_INFINITY);
    const graded = await grade(grader, {
      program: 'print("ok") # FAULT',
      tests: [one, one],
      stopAtFirstFailure: stop,
    });
    expect(graded.verdict).toBe('grader-fault');
    expect(graded.results.map(({ verdict }) => verdict)).toEqual(Array(stop ? 1 : 2).fill('grader-fault'));
    expect(graded.results[0]?.error).toContain('The grader itself failed on this program (Error: planted).');
    expect(thrown()).toBe(2);
    // Others are graded as before, and so is the same program again: a fault is not kept.
    expect((await grade(grader, { program: 'print("ok")', tests: [one] })).verdict).toBe('passed');
    await grade(grader, { program: 'print("ok") # FAULT', tests: [one, one], stopAtFirstFailure: stop });
    expect(thrown()).toBe(4);
    await expect(grader.dispose()).resolves.toBeUndefined();
  },
);

test('a judge that throws once costs nothing', async () => {
  const { grader, thrown } = await openFaulty(1);
  expect((await grade(grader, { program: 'print("ok") # FAULT', tests: [one] })).verdict).toBe('passed');
  expect(thrown()).toBe(1);
  await grader.dispose();
});

test('equal requests that share a fault all get it as a grade', async () => {
  const { grader } = await openFaulty(Number.POSITIVE_INFINITY);
  const request = { program: 'print("ok") # FAULT', tests: [one] };
  const grades = await Promise.all([1, 2, 3].map(() => grade(grader, request)));
  expect(grades.map(({ verdict }) => verdict)).toEqual(Array(3).fill('grader-fault'));
  await grader.dispose();
});

test('a self-check whose judge throws is a broken grader, not an error that nobody handles', async () => {
  const launcher = await launcherOf(RESOURCES, ['shared']);
  if (!launcher.ok) throw new Error(launcher.error.message);
  const grader = createGrader(
    launcher.value,
    1,
    faulty(() => true),
  );
  await grader.selfCheck();
  expect(grader.health()).toEqual({
    kind: 'broken',
    message: 'The grader does not work: a wrong program got the verdict grader-fault. Error: planted',
  });
  await grader.dispose();
});

test('shared work that was rejected is forgotten: it keeps nobody waiting, and is done again', async () => {
  let runs = 0;
  const grades = new SharedGrades(async () => {
    runs += 1;
    throw new Error('planted');
  });
  const request = { program: '1', entryPoint: null, tests: [one], limits: LIMITS, stopAtFirstFailure: false };
  const first = grades.grade(request, '1', undefined);
  const idle = grades.whenIdle();
  await expect(first).rejects.toThrow('planted');
  await expect(idle).resolves.toBeUndefined();
  await expect(grades.grade(request, '1', undefined)).rejects.toThrow('planted');
  expect(runs).toBe(2);
  await expect(grades.whenIdle()).resolves.toBeUndefined();
});
