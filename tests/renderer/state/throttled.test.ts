import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottled } from '../../../renderer/state/throttled';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first call runs at once, those during a pause once after it, and the last is never lost', () => {
  const done: string[] = [];
  const throttled = createThrottled((key) => done.push(key), 250);
  throttled.schedule('a');
  throttled.schedule('a');
  throttled.schedule('a');
  expect(done).toEqual(['a']);
  vi.advanceTimersByTime(250);
  expect(done).toEqual(['a', 'a']);
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual(['a', 'a']);
});

test('what waits can be done at once, or not at all, and the pause continues', () => {
  const done: string[] = [];
  const throttled = createThrottled((key) => done.push(key), 250);
  throttled.flush('a');
  throttled.schedule('a');
  throttled.flush('a');
  expect(done).toEqual(['a']);
  throttled.schedule('a');
  throttled.flush('a');
  expect(done).toEqual(['a', 'a']);
  throttled.schedule('a');
  throttled.cancel('a');
  vi.advanceTimersByTime(1_000);
  expect(done).toEqual(['a', 'a']);
});

test('keys do not wait for each other', () => {
  const done: string[] = [];
  const throttled = createThrottled((key) => done.push(key), 250);
  throttled.schedule('a');
  throttled.schedule('b');
  expect(done).toEqual(['a', 'b']);
});

test('nothing is done, and no timer left, after the end', () => {
  const done: string[] = [];
  const throttled = createThrottled((key) => done.push(key), 250);
  throttled.schedule('a');
  throttled.schedule('a');
  throttled.dispose();
  expect(vi.getTimerCount()).toBe(0);
  expect(done).toEqual(['a']);
});
