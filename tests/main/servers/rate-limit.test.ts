import { expect, test } from 'vitest';
import { asksToWait, retryPauseMs } from '../../../main/servers/logic/chat-failure';

test('the pause is what the server asks for', () => {
  expect(retryPauseMs(5, 7_000, 60_000)).toBe(7_000);
});

test('a server that requests no pause still gets a short one', () => {
  expect(retryPauseMs(0, -3_000, 60_000)).toBe(100);
});

test('without a word of the server pauses double up to a minute', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 7].map((attempt) => retryPauseMs(attempt, null, 600_000));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test('no pause is longer than the patience that is left', () => {
  expect(retryPauseMs(0, 61_000, 60_000)).toBeNull();
});

test('only "later" asks for patience', () => {
  expect([200, 400, 401, 429, 500, 503].filter(asksToWait)).toEqual([429, 503]);
});
