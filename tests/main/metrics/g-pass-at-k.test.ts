import { expect, it } from 'vitest';
import { gPassAtK, passAtK } from '../../../main/metrics';

/** Every way to draw k of the samples, one by one. */
function byDrawing(samples: number, passed: number, k: number, tau: number): number {
  let [ways, good] = [0, 0];
  for (let drawn = 0; drawn < 1 << samples; drawn++) {
    let [taken, passing] = [0, 0];
    for (let i = 0; i < samples; i++) {
      if (((drawn >> i) & 1) === 0) continue;
      taken += 1;
      if (i < passed) passing += 1;
    }
    if (taken !== k) continue;
    ways += 1;
    if (passing >= tau * k - 1e-9 && passing >= 1) good += 1;
  }
  return good / ways;
}

it('is the share of all draws in which enough pass', () => {
  for (let passed = 0; passed <= 10; passed++)
    for (const k of [1, 3, 4, 7, 10])
      for (const tau of [0.1, 0.25, 0.5, 0.75, 1])
        expect(gPassAtK(10, passed, k, tau)).toBeCloseTo(byDrawing(10, passed, k, tau), 12);
});

it('by hand: of 4 samples 3 pass, both of 2 pass in 3 of 6 draws', () => {
  expect(gPassAtK(4, 3, 2, 1)).toBeCloseTo(0.5, 14);
});

it('with a small tau is pass@k', () => {
  for (const [n, c, k] of [
    [60, 3, 10],
    [200, 17, 50],
    [1_000, 400, 32],
  ] as const)
    expect(gPassAtK(n, c, k, 0.001)).toBeCloseTo(passAtK(n, c, k) as number, 10);
});

it('counts tau * k as it is meant: 0.1 of 30 are 3', () => {
  expect(gPassAtK(30, 3, 30, 0.1)).toBe(1);
});

it('is not estimated from fewer than k samples', () => {
  expect(gPassAtK(7, 7, 8, 0.5)).toBeNull();
});
