import fc from 'fast-check';
import { expect, it } from 'vitest';
import { passAtK } from '../../../main/metrics';

// Same cases in every run.
fc.configureGlobal({ seed: 1 });

it.each([
  [60, 3, 1, 0.05],
  [60, 3, 10, 0.427236],
  [5, 4, 2, 1],
  [10, 0, 3, 0],
  [10, 10, 10, 1],
])('of %i samples %i pass: pass@%i is %f', (samples, passed, k, expected) => {
  expect(passAtK(samples, passed, k)).toBeCloseTo(expected, 6);
});

it('is not estimated from fewer than k samples', () => {
  expect(passAtK(9, 9, 10)).toBeNull();
});

const casesOf = fc
  .integer({ min: 1, max: 200 })
  .chain((samples) =>
    fc.tuple(
      fc.constant(samples),
      fc.integer({ min: 0, max: samples }),
      fc.integer({ min: 1, max: samples }),
    ),
  );

it('is a rate that grows with k and with what passes', () => {
  fc.assert(
    fc.property(casesOf, ([samples, passed, k]) => {
      const value = passAtK(samples, passed, k) as number;
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      if (k > 1) expect(value).toBeGreaterThanOrEqual((passAtK(samples, passed, k - 1) as number) - 1e-12);
      if (passed > 0)
        expect(value).toBeGreaterThanOrEqual((passAtK(samples, passed - 1, k) as number) - 1e-12);
    }),
  );
});

it('at k = 1 is the share that passes', () => {
  fc.assert(
    fc.property(casesOf, ([samples, passed]) => {
      expect(passAtK(samples, passed, 1)).toBeCloseTo(passed / samples, 12);
    }),
  );
});
