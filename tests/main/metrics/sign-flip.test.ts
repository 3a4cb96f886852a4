import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcnemarP, signFlipP } from '../../../main/metrics';
import { byPython } from '../../support/by-python';

describe('the sign-flip test', () => {
  it('counts all ways, as another language does one by one', () => {
    const cases = [
      [1, 1, 1, -1],
      [0.2, -0.1, 0.4, 0.3, 0, -0.2],
      [0.0625, 0.1875, -0.3125, 0.5, 0.125, 0.0625, -0.4375, 1],
      [1 / 3, 2 / 3, -1 / 3, 1, 1 / 5, -2 / 5],
      [1, -1],
    ];
    const counted = byPython<number[]>(
      [
        'import itertools, json, sys',
        'def p(d):',
        '    found = abs(sum(d))',
        '    ways = [sum(s * x for s, x in zip(signs, d)) for signs in itertools.product((1, -1), repeat=len(d))]',
        '    return sum(abs(w) >= found - 1e-9 for w in ways) / len(ways)',
        'print(json.dumps([p(d) for d in json.load(sys.stdin)]))',
      ],
      cases,
    );
    for (const [i, p] of (counted ?? []).entries()) {
      expect(signFlipP(cases[i] as number[], 1)).toBeCloseTo(p, 12);
    }
  });

  it("of verdicts is McNemar's exact test", () => {
    for (const [first, second] of [
      [2, 8],
      [30, 11],
      [0, 6],
      [40, 40],
    ] as const) {
      const differences = [...Array(first).fill(1), ...Array(second).fill(-1), 0, 0, 0];
      expect(signFlipP(differences, 1)).toBeCloseTo(mcnemarP(first, second), 10);
    }
  });

  it('draws where nothing is common to the values, and comes near all ways', () => {
    const differences = [0.1, Math.SQRT1_2, -0.2, Math.PI / 10, Math.E / 10, -0.05, Math.sqrt(3) / 5];
    const ways = Array.from({ length: 2 ** differences.length }, (_, bits) =>
      differences.reduce((sum, one, i) => sum + ((bits >> i) & 1 ? one : -one), 0),
    );
    const found = differences.reduce((sum, one) => sum + one, 0);
    const exact = ways.filter((way) => Math.abs(way) >= found - 1e-12).length / ways.length;
    // It stops at 200 draws that are as far out: a relative error of some 7 %.
    expect(Math.abs(signFlipP(differences, 1) / exact - 1)).toBeLessThan(0.2);
    expect(signFlipP(differences, 1)).toBe(signFlipP(differences, 1));
  });

  it('draws more than 31 signs independently', () => {
    const differences = Array.from({ length: 64 }, (_, i) => Math.sqrt(i + 2) / 10);
    // All of one sign: no draw of 20 000 is as far out.
    expect(signFlipP(differences, 1)).toBe(1 / 20_001);
  });

  it('finds a true null in about one of twenty at 5 %', () => {
    const sixteenth = fc.integer({ min: -16, max: 16 }).map((whole) => whole / 80);
    const ps: number[] = [];
    fc.assert(
      fc.property(fc.array(sixteenth, { minLength: 40, maxLength: 40 }), (differences) => {
        ps.push(signFlipP(differences, 1));
      }),
      { numRuns: 800, seed: 5 },
    );
    const share = ps.filter((p) => p < 0.05).length / ps.length;
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.08);
  });

  it('has nothing to say of no difference', () => {
    expect(signFlipP([], 1)).toBe(1);
    expect(signFlipP([0, 0], 1)).toBe(1);
    expect(signFlipP([0.1, -0.1], 1)).toBe(1);
  });
});
