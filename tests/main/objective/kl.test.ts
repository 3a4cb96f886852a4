import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { klEstimate } from '../../../main/objective/kl';
import { expectClose } from './random-trees';

describe('an estimate of the divergence', () => {
  it('by hand: k1, k2 and k3 of a ratio of 2', () => {
    const l = Math.LN2;
    expect(klEstimate(l, 'k1')).toEqual({ value: l, slope: 1 });
    expect(klEstimate(l, 'k2')).toEqual({ value: l ** 2 / 2, slope: l });
    const { value, slope } = klEstimate(l, 'k3');
    expectClose([value, slope], [0.5 - 1 + l, 0.5]);
  });

  it.each(['k1', 'k2', 'k3'] as const)('%s is cut at 10, where it no longer pulls', (estimator) => {
    for (const far of [12, 50, 1e9, Number.POSITIVE_INFINITY]) {
      expect(klEstimate(far, estimator)).toEqual({ value: 10, slope: 0 });
      expect(klEstimate(-far, estimator)).toEqual({ value: estimator === 'k1' ? -10 : 10, slope: 0 });
    }
  });

  it('k3 is never negative and keeps its digits near 0', () => {
    fc.assert(
      fc.property(fc.double({ min: -12, max: 12, noNaN: true }), (l) => {
        expect(klEstimate(l, 'k3').value).toBeGreaterThanOrEqual(0);
      }),
    );
    expect(klEstimate(1e-6, 'k3').value).toBeCloseTo(5e-13, 18);
  });

  it('averages to the divergence itself over draws of the policy: k1 and k3, and k2 where it is near', () => {
    // Exact means over a distribution of three symbols instead of draws.
    const policy = [0.5, 0.3, 0.2];
    const reference = [0.45, 0.35, 0.2];
    const meanOf = (estimator: 'k1' | 'k2' | 'k3'): number =>
      policy.reduce(
        (sum, p, i) => sum + p * klEstimate(Math.log(p / (reference[i] as number)), estimator).value,
        0,
      );
    const exact = policy.reduce((sum, p, i) => sum + p * Math.log(p / (reference[i] as number)), 0);
    expect(meanOf('k1')).toBeCloseTo(exact, 12);
    expect(meanOf('k3')).toBeCloseTo(exact, 12);
    expect(Math.abs(meanOf('k2') / exact - 1)).toBeLessThan(0.05);
  });
});
