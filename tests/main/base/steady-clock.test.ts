import { expect, test } from 'vitest';
import { steadyClock } from '../../../main/base';

test('a steady clock goes on while the system clock is set back, and follows it forward', () => {
  let [wall, running] = [1_000_000, 7];
  const now = steadyClock(
    () => wall,
    () => running,
  );
  const pass = (ms: number, jump = 0): number => {
    running += ms;
    wall += ms + jump;
    return now();
  };
  expect(now()).toBe(1_000_000);
  expect(pass(10)).toBe(1_000_010);
  expect(pass(10, -86_400_000)).toBe(1_000_020);
  expect(pass(10)).toBe(1_000_030);
  // Back to where it was, then a sleep of an hour, in which only the system's clock went on.
  expect(pass(10, 86_400_000)).toBe(1_000_040);
  expect(pass(10, 3_600_000)).toBe(4_600_050);
});
