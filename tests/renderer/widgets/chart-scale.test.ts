import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bandPath,
  linePath,
  niceTicks,
  outline,
  positionAt,
  rangeOf,
  rangeWithoutSpikes,
} from '../../../renderer/widgets/chart-scale';

const seeded = { seed: 1 };
const plain = { x: (value: number) => value, y: (value: number) => value };

describe('ticks', () => {
  test.each([
    [0, 1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0, 184, 4, [0, 50, 100, 150]],
    [-0.3, 0.3, 3, [-0.2, 0, 0.2]],
    [0.0001, 0.0004, 3, [0.0001, 0.0002, 0.0003, 0.0004]],
    // In halves there would be one, which gives no scale.
    [8.1, 8.9, 2, [8.2, 8.4, 8.6, 8.8]],
  ])('of %s to %s, about %s of them', (low, high, wished, ticks) => {
    expect(niceTicks(low, high, wished)).toEqual(ticks);
  });

  test('of things that are counted are whole numbers, however few there are', () => {
    expect(niceTicks(0, 6, 12, 1)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(niceTicks(0, 1, 12, 1)).toEqual([0, 1]);
    expect(niceTicks(0, 184, 4, 1)).toEqual([0, 50, 100, 150]);
  });

  test('lie within the range, ascend, and are not many more than requested', () => {
    const ends = fc.tuple(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    );
    fc.assert(
      fc.property(ends, fc.integer({ min: 2, max: 10 }), ([low, span], wished) => {
        const high = low + span;
        fc.pre(span > Math.abs(low) * 1e-9);
        const ticks = niceTicks(low, high, wished);
        expect(ticks.length).toBeLessThanOrEqual(wished + 1);
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(low - span * 1e-6);
          expect(tick).toBeLessThanOrEqual(high + span * 1e-6);
        }
      }),
      seeded,
    );
  });
});

describe('the range', () => {
  test('begins at 0 where the values come near it, else near the values', () => {
    expect(rangeOf(0.2, 0.6).low).toBe(0);
    expect(rangeOf(0.9, 1).low).toBeGreaterThan(0.85);
    expect(rangeOf(-0.5, -0.1).high).toBe(0);
    expect(rangeOf(0, 0)).toEqual({ low: 0, high: 1 });
  });

  test('of equal values and of none has a width', () => {
    for (const { low, high } of [
      rangeOf(0, 0),
      rangeOf(3, 3),
      rangeOf(-2, -2),
      rangeOf(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    ]) {
      expect(high).toBeGreaterThan(low);
    }
  });

  test('cuts a spike that would flatten all else, and keeps one that does not', () => {
    const values = (spike: number) => Array.from({ length: 400 }, (_, at) => (at === 201 ? spike : at % 10));
    expect(rangeWithoutSpikes(values(1e9))).toEqual({ low: 0, high: 36 });
    expect(rangeWithoutSpikes(values(20))).toEqual({ low: 0, high: 20 });
    expect(rangeWithoutSpikes(values(-1e9))).toEqual({ low: -27, high: 9 });
  });

  test('of values that are nearly all equal is all of them', () => {
    expect(rangeWithoutSpikes(Array.from({ length: 400 }, (_, at) => (at === 201 ? 0.04 : 0)))).toEqual({
      low: 0,
      high: 0.04,
    });
    expect(rangeWithoutSpikes([])).toBeNull();
  });
});

describe('the outline of a curve', () => {
  test('has its ends, its lowest and its highest, in order, and few points', () => {
    const curve = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), {
      minLength: 1,
      maxLength: 3_000,
    });
    fc.assert(
      fc.property(curve, (ys) => {
        const xs = ys.map((_, at) => at * 3);
        const thin = outline({ xs, ys }, 50);
        expect(thin.xs.length).toBe(thin.ys.length);
        expect(thin.xs.length).toBeLessThanOrEqual(Math.max(50 * 4 + 4, 0));
        expect(thin.xs[0]).toBe(0);
        expect(thin.xs.at(-1)).toBe(xs.at(-1));
        expect(Math.min(...thin.ys)).toBe(Math.min(...ys));
        expect(Math.max(...thin.ys)).toBe(Math.max(...ys));
        expect([...thin.xs].sort((a, b) => a - b)).toEqual(thin.xs);
      }),
      seeded,
    );
  });

  test('of a short curve is the curve', () => {
    const short = { xs: [1, 2, 3], ys: [3, 1, 2] };
    expect(outline(short, 320)).toEqual(short);
  });
});

test('a path goes through its points, and a band there and back', () => {
  expect(linePath({ xs: [0, 1.26], ys: [2, 3] }, plain)).toBe('M0.0,2.0L1.3,3.0');
  expect(bandPath([0, 1], [1, 1], [2, 3], plain)).toBe('M0.0,2.0L1.0,3.0L1.0,1.0L0.0,1.0Z');
  expect(bandPath([], [], [], plain)).toBe('');
});

test.each([
  [0.5, -1],
  [1, 0],
  [2.9, 1],
  [9, 2],
])('the last point at or before %s is number %s', (x, position) => {
  expect(positionAt([1, 2, 3], x)).toBe(position);
});
