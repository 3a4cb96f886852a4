import { expect, test } from 'vitest';
import { localTime, timeText } from '../../../preload/contract/plans';

/** As the clock of this computer shows it, wherever the test runs. */
const at = (...parts: [year: number, month: number, day: number, hour: number, minute: number]): string =>
  new Date(...parts, 7).toISOString();
const now = Date.parse(at(2026, 10, 29, 14, 0));

test.each([
  ['of today has no day', at(2026, 10, 29, 8, 5), now, '08:05'],
  ['of another day has its day', at(2026, 8, 2, 18, 0), now, '2 Sep 18:00'],
  ['of another year has its year', at(2025, 11, 31, 23, 59), now, '31 Dec 2025 23:59'],
  ['that stays where it is read later has both', at(2026, 10, 29, 8, 5), undefined, '29 Nov 2026 08:05'],
])('a time in a sentence %s', (_, iso, shownAt, text) => {
  expect(timeText(iso, shownAt)).toBe(text);
});

test('a time in a list sorts as text', () => {
  expect(localTime(at(2026, 8, 2, 8, 5))).toBe('2026-09-02 08:05:07');
});
