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
    const schedule = new TestSchedule(4, true, 'nothing');
    expect(follow(schedule, () => 'passed')).toEqual(['0 shared', '1 shared', '2 shared', '3 shared']);
    expect(verdicts(schedule)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  test('what does not pass in a shared process is run again alone, and that counts', () => {
    const schedule = new TestSchedule(4, true, 'nothing');
    const order = follow(schedule, (index, isAlone) => (index === 1 && !isAlone ? 'wrong-answer' : 'passed'));
    expect(order.slice(4)).toEqual(['1 alone']);
    expect(verdicts(schedule)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  test('what does not pass as the first of its process counts as it is', () => {
    const schedule = new TestSchedule(2, true, 'nothing');
    expect(follow(schedule, (index) => (index === 0 ? 'wrong-answer' : 'passed'))).toHaveLength(2);
    expect(verdicts(schedule)).toEqual(['wrong-answer', 'passed']);
  });

  test('without sharing each is requested alone and once', () => {
    const schedule = new TestSchedule(3, false, 'nothing');
    expect(follow(schedule, () => 'runtime-error')).toEqual(['0 alone', '1 alone', '2 alone']);
  });
});

describe('where a failure ends the grade', () => {
  test('for a candidate that fails its first test only that one is requested', () => {
    const schedule = new TestSchedule(50, true, 'failure');
    expect(follow(schedule, () => 'wrong-answer')).toEqual(['0 shared']);
    expect(verdicts(schedule)).toEqual(['wrong-answer']);
  });

  test('for one that passes many are requested at a time, further ones only while its process stays', () => {
    const schedule = new TestSchedule(35, true, 'failure');
    const ahead = Array.from({ length: 31 }, (_, i) => `${i + 2} ahead`);
    const order = follow(schedule, () => 'passed');
    expect(order).toEqual(['0 shared', '1 shared', ...ahead, '33 shared', '34 ahead']);
  });

  test('tests that were requested ahead, after the first failure, have no result', () => {
    const schedule = new TestSchedule(6, true, 'failure');
    const order = follow(schedule, (index) => (index === 2 ? 'wrong-answer' : 'passed'));
    expect(order).toEqual(['0 shared', '1 shared', '2 ahead', '3 ahead', '4 ahead', '5 ahead', '2 alone']);
    expect(verdicts(schedule)).toEqual(['passed', 'passed', 'wrong-answer']);
  });

  test('after a test that was too slow beside others none shares', () => {
    const schedule = new TestSchedule(4, true, 'failure');
    const order = follow(schedule, (index, isAlone) => (index === 1 && !isAlone ? 'lost' : 'passed'));
    expect(order).toEqual(['0 shared', '1 shared', '2 ahead', '3 ahead', '1 alone']);
    expect(verdicts(schedule)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });
});

describe('where a time limit ends the grade', () => {
  test('tests behind it have no result, those before it all have one', () => {
    const schedule = new TestSchedule(6, false, 'time-limit');
    const verdictOf = (index: number): Verdict => (index === 3 ? 'time-limit' : 'wrong-answer');
    follow(schedule, verdictOf);
    expect(verdicts(schedule)).toEqual(['wrong-answer', 'wrong-answer', 'wrong-answer', 'time-limit']);
  });

  test('a test before it that has to run again still runs', () => {
    const schedule = new TestSchedule(4, true, 'time-limit');
    for (const { index } of schedule.next()) {
      if (index === 1) schedule.putBack(index, true);
      else schedule.take(index, results(index === 2 ? 'time-limit' : 'passed'), false);
    }
    expect([schedule.isDone, verdicts(schedule)]).toEqual([false, ['passed']]);
    expect(follow(schedule, () => 'wrong-answer')).toEqual(['1 alone']);
    expect(verdicts(schedule)).toEqual(['passed', 'wrong-answer', 'time-limit']);
  });
});

describe('where each verdict is wanted of a program that has reached its time limit', () => {
  test('its further tests are requested one by one, each for a process of its own', () => {
    const schedule = new TestSchedule(4, true, 'nothing');
    expect(schedule.next()).toHaveLength(4);
    schedule.take(0, results('time-limit'), false);
    for (const index of [1, 2, 3]) schedule.putBack(index, false);
    expect(schedule.parallelTests).toBe(3);
    expect([schedule.next(), schedule.next()].flat().map(({ index, way }) => `${index} ${way}`)).toEqual([
      '1 alone',
      '2 alone',
    ]);
    expect(schedule.parallelTests).toBe(1);
  });

  test('of one that has not, all are requested together', () => {
    const schedule = new TestSchedule(4, true, 'nothing');
    const [first, ...rest] = schedule.next();
    schedule.take(first?.index ?? -1, results('wrong-answer'), false);
    expect([rest.length, schedule.parallelTests]).toEqual([3, 0]);
  });
});
