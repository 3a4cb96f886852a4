import { expect, test } from 'vitest';
import { rateSince, secondsLeft, updateRate } from '../../../../main/trainings/logic/estimate';

test('the time left is by the speed so far, and unknown once it has passed', () => {
  const rate = updateRate(updateRate(null, 0, 0), 60_000, 2);
  expect(secondsLeft(rate, 60_000, 4)).toBe(60);
  expect(secondsLeft(rate, 100_000, 4)).toBe(20);
  // A step that takes longer than those before it, and the evaluation after the last step.
  expect(secondsLeft(rate, 130_000, 4)).toBeNull();
  expect(secondsLeft(updateRate(rate, 120_000, 4), 121_000, 4)).toBeNull();
});

test('nothing is known before a step was made, nor after a resume from an earlier one', () => {
  const begun = updateRate(null, 0, 3);
  expect(secondsLeft(begun, 1_000, 10)).toBeNull();
  expect(secondsLeft(updateRate(begun, 2_000, 1), 3_000, 10)).toBeNull();
});

test('the speed of an earlier start, and the pause behind it, say nothing of this one', () => {
  const before = updateRate(updateRate(null, 0, 0), 12_000, 3);
  expect(secondsLeft(rateSince(before, null), 12_000, 120)).toBe(468);
  expect(secondsLeft(rateSince(before, 60_000), 60_000, 120)).toBeNull();
  const resumed = updateRate(updateRate(rateSince(before, 60_000), 60_000, 3), 62_000, 13);
  expect(secondsLeft(rateSince(resumed, 60_000), 62_000, 23)).toBe(2);
});
