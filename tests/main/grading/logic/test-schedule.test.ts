import { describe, expect, test } from 'vitest';
import { resultWithoutRun } from '../../../../main/grading/logic/judge';
import { TestSchedule } from '../../../../main/grading/logic/test-schedule';
import type { Verdict } from '../../../../preload/contract';

const results = (verdict: Verdict) => [resultWithoutRun(verdict, null)];
const verdicts = (schedule: TestSchedule) => schedule.results.map((result) => result.verdict);

/** Asks until the schedule is done; `answer` says what comes out of a test run in this way. Gives what was asked. */
function follow(
  schedule: TestSchedule,
  answer: (index: number, isAlone: boolean) => Verdict | 'lost',
): string[] {
  const order: string[] = [];
  while (!schedule.isDone) {
    let hasStayed = order.length > 0;
    for (const { index, way } of schedule.next()) {
      order.push(`${index} ${way}`);
      const isAlone = way === 'alone' || !hasStayed;
      const verdict = answer(index, isAlone);
      if (verdict === 'lost') {
        schedule.stopSharing();
        schedule.putBack(index, true);
      } else schedule.take(index, results(verdict), !isAlone);
      hasStayed = way !== 'alone' && verdict === 'passed';
    }
  }
  return order;
}

describe('where each verdict is wanted', () => {
  test('all tests are requested at once', () => {
    const schedule = new TestSchedule(4, true, false);
    expect(follow(schedule, () => 'passed')).toEqual(['0 shared', '1 shared', '2 shared', '3 shared']);
    expect(verdicts(schedule)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  test('what does not pass in a shared process is run again alone, and that counts', () => {
    const schedule = new TestSchedule(4, true, false);
    const order = follow(schedule, (index, isAlone) => (index === 1 && !isAlone ? 'wrong-answer' : 'passed'));
    expect(order.slice(4)).toEqual(['1 alone']);
    expect(verdicts(schedule)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  test('what does not pass as the first of its process counts as it is', () => {
    const schedule = new TestSchedule(2, true, false);
    expect(follow(schedule, (index) => (index === 0 ? 'wrong-answer' : 'passed'))).toHaveLength(2);
    expect(verdicts(schedule)).toEqual(['wrong-answer', 'passed']);
  });

  test('without sharing each is requested alone and once', () => {
    const schedule = new TestSchedule(3, false, false);
    expect(follow(schedule, () => 'runtime-error')).toEqual(['0 alone', '1 alone', '2 alone']);
  });
});

describe('where a failure ends the grade', () => {
  test('for a candidate that fails its first test only that one is requested', () => {
    const schedule = new TestSchedule(50, true, true);
    expect(follow(schedule, () => 'wrong-answer')).toEqual(['0 shared']);
    expect(verdicts(schedule)).toEqual(['wrong-answer']);
  });

  test('for one that passes many are requested at a time, further ones only while its process stays', () => {
    const schedule = new TestSchedule(35, true, true);
    const ahead = Array.from({ length: 31 }, (_, i) => `${i + 2} ahead`);
    const order = follow(schedule, () => 'passed');
    expect(order).toEqual(['0 shared', '1 shared', ...ahead, '33 shared', '34 ahead']);
  });

  test('tests that were requested ahead, after the first failure, have no result', () => {
    const schedule = new TestSchedule(6, true, true);
    const order = follow(schedule, (index) => (index === 2 ? 'wrong-answer' : 'passed'));
    expect(order).toEqual(['0 shared', '1 shared', '2 ahead', '3 ahead', '4 ahead', '5 ahead', '2 alone']);
    expect(verdicts(schedule)).toEqual(['passed', 'passed', 'wrong-answer']);
  });

  test('after a test that was too slow beside others none shares', () => {
    const schedule = new TestSchedule(4, true, true);
    const order = follow(schedule, (index, isAlone) => (index === 1 && !isAlone ? 'lost' : 'passed'));
    expect(order).toEqual(['0 shared', '1 shared', '2 ahead', '3 ahead', '1 alone']);
    expect(verdicts(schedule)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });
});
