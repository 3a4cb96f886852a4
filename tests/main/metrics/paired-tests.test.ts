import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { holm, mcnemarP } from '../../../main/metrics';

/** Exact fractions in another language; null where there is no Python. */
function byPython(cases: ReadonlyArray<readonly [number, number]>): number[] | null {
  const program = [
    'import json, sys',
    'from fractions import Fraction',
    'from math import comb',
    'def p(b, c):',
    '    n = b + c',
    '    extreme = [k for k in range(n + 1) if abs(2 * k - n) >= abs(b - c)]',
    '    return float(Fraction(sum(comb(n, k) for k in extreme), 2 ** n))',
    'print(json.dumps([p(b, c) for b, c in json.load(sys.stdin)]))',
  ].join('\n');
  const { status, stdout } = spawnSync('python3', ['-c', program], { input: JSON.stringify(cases) });
  return status === 0 ? JSON.parse(stdout.toString()) : null;
}

describe("McNemar's exact test", () => {
  it.each([
    [0, 0, 1],
    [1, 0, 1],
    // Two-sided sign test of 2 against 8: 2 * (1 + 10 + 45) / 1024.
    [2, 8, 0.109375],
    [8, 2, 0.109375],
    [6, 0, 0.03125],
    [5, 0, 0.0625],
    [5, 5, 1],
  ])('of %i and %i is %f', (b, c, p) => {
    expect(mcnemarP(b, c)).toBeCloseTo(p, 14);
  });

  const cases = [
    [3, 11],
    [86, 150],
    [20, 37],
    [0, 60],
    [700, 800],
    [1_500, 1_400],
  ] as const;
  const expected = byPython(cases);
  it.skipIf(expected === null)('agrees with exact fractions (needs python3)', () => {
    for (const [i, [b, c]] of cases.entries()) {
      expect(mcnemarP(b, c) / (expected?.[i] ?? Number.NaN)).toBeCloseTo(1, 9);
    }
  });
});

describe("Holm's correction", () => {
  it('of the usual worked example keeps the order given (R: p.adjust(c(.01, .04, .03, .005), "holm"))', () => {
    const corrected = holm([0.01, 0.04, 0.03, 0.005]);
    for (const [i, p] of [0.03, 0.06, 0.06, 0.02].entries()) expect(corrected[i]).toBeCloseTo(p, 14);
  });

  it('of one is itself, and none exceeds 1', () => {
    expect(holm([0.04])).toEqual([0.04]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});
