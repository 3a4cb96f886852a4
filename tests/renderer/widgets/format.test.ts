import { describe, expect, test } from 'vitest';
import {
  ago,
  bytes,
  duration,
  percent,
  percentRange,
  plural,
  pointsDifference,
  roughDuration,
} from '../../../renderer/widgets/format';

describe('times', () => {
  test.each([
    [400, '0 s'],
    [59_400, '59 s'],
    [60_000, '1 min'],
    [150_000, '2 min 30 s'],
    [3_600_000, '1 h'],
    [11_100_000, '3 h 5 min'],
    [187_200_000, '2 d 4 h'],
  ])('%i ms are %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  test.each([
    [1_000, '5 s'],
    [57_900, '1 min'],
    [67_000, '1 min 10 s'],
    [141_000, '2 min 20 s'],
    [1_000_000, '17 min'],
  ])('an estimate of %i ms promises no more than %s', (ms, text) => {
    expect(roughDuration(ms)).toBe(text);
  });

  test.each([
    [10, 'just now'],
    [60, '1 min ago'],
    [7_200, '2 h ago'],
    [200_000, '2 d ago'],
  ])('%i seconds ago reads %s', (seconds, text) => {
    expect(ago(0, seconds * 1_000)).toBe(text);
  });
});

describe('numbers', () => {
  test('a difference has its sign, and none when it rounds to nothing', () => {
    expect([0.083, -0.02, 0.0004, -0.0004].map(pointsDifference)).toEqual(['+8.3', '−2.0', '0.0', '0.0']);
    // As the terminal and the exports round, the same on both sides of zero.
    expect([0.0125, -0.0125].map(pointsDifference)).toEqual(['+1.3', '−1.3']);
  });

  test('one is singular', () => {
    expect([plural(1, 'search', 'searches'), plural(1_200, 'program')]).toEqual([
      '1 search',
      '1,200 programs',
    ]);
  });

  test('an interval is in percent', () => {
    expect(percentRange(0.512, 0.7251)).toBe('51.2 – 72.5');
  });

  test.each([
    [812, '812 B'],
    [14_200, '14.2 kB'],
    [3_100_000, '3.1 MB'],
    [5_000_000_000, '5.0 GB'],
  ])('%i bytes are %s', (size, text) => {
    expect(bytes(size)).toBe(text);
  });
});

test('a rate below zero has a true minus, and none where it rounds to nothing', () => {
  expect([percent(-0.083), percent(-0.0002), percent(0)]).toEqual(['−8.3', '0.0', '0.0']);
});
