import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { studentTail, tTestP } from '../../../main/metrics';
import { byPython } from '../../support/by-python';

describe("Student's distribution", () => {
  // Two-sided 5 % and 1 % points of the usual tables.
  it.each([
    [12.706, 1, 0.05],
    [4.303, 2, 0.05],
    [2.776, 4, 0.05],
    [2.228, 10, 0.05],
    [4.604, 4, 0.01],
    [2.75, 30, 0.01],
    [1.96, 1e6, 0.05],
  ])('leaves beyond %f with %i degrees of freedom about %f', (t, df, p) => {
    expect(studentTail(t, df)).toBeCloseTo(p, 4);
  });

  it('has its closed forms at 1, 2 and 4 degrees of freedom', () => {
    for (const t of [0, 0.01, 0.3, 1, 2.5, 7, 40, 900]) {
      expect(studentTail(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 12);
      expect(studentTail(t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 12);
      const u = t / Math.sqrt(4 + t * t);
      expect(studentTail(t, 4)).toBeCloseTo(1 - (3 * u - u ** 3) / 2, 12);
    }
  });

  it('agrees with its density, integrated in another language', () => {
    const cases = [3, 5, 7.5, 19, 120].flatMap((df) => [0.2, 1.1, 2.3, 4.9].map((t) => [t, df] as const));
    const integrated = byPython<number[]>(
      [
        'import json, math, sys',
        'def inside(t, df, steps=20000):',
        '    c = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)',
        '    f = lambda x: c * (1 + x * x / df) ** (-(df + 1) / 2)',
        '    h = t / steps',
        '    return h / 3 * (f(0) + f(t) + sum((4 if i % 2 else 2) * f(i * h) for i in range(1, steps)))',
        'print(json.dumps([1 - 2 * inside(t, df) for t, df in json.load(sys.stdin)]))',
      ],
      cases,
    );
    for (const [i, p] of (integrated ?? []).entries()) {
      const [t, df] = cases[i] as readonly [number, number];
      expect(studentTail(t, df)).toBeCloseTo(p, 10);
    }
  });
});

describe('the t test over seeds', () => {
  it('of 1, 2, 3, 4, 5 is that of t = 3 / sqrt(0.5) with 4 degrees of freedom', () => {
    const t = 3 / Math.sqrt(0.5);
    const u = t / Math.sqrt(4 + t * t);
    expect(tTestP([1, 2, 3, 4, 5])).toBeCloseTo(1 - (3 * u - u ** 3) / 2, 12);
  });

  it('needs two values that differ', () => {
    expect(tTestP([])).toBeNull();
    expect(tTestP([0.3])).toBeNull();
    expect(tTestP([0.3, 0.1 + 0.2])).toBeNull();
    expect(tTestP([0, 0, 0])).toBe(1);
  });

  it('does not depend on the unit, the order or the side', () => {
    const value = fc.integer({ min: -1_000, max: 1_000 }).map((whole) => whole / 1_000);
    fc.assert(
      fc.property(fc.array(value, { minLength: 3, maxLength: 8 }), (values) => {
        fc.pre(new Set(values).size > 1);
        const p = tTestP(values) ?? Number.NaN;
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(tTestP(values.map((one) => -100 * one).reverse())).toBeCloseTo(p, 9);
      }),
    );
  });
});
