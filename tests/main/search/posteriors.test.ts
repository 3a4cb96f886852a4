import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { BetaPosterior, GaussianPosterior, newPosterior } from '../../../main/search';

// Same cases in every run.
fc.configureGlobal({ seed: 1 });

function gaussianAfter(scores: readonly number[]) {
  const belief = new GaussianPosterior();
  for (const score of scores) belief.observe(score);
  return belief.posterior;
}

describe('Gaussian beliefs', () => {
  it.each([
    [[], { mean: 0, kappa: 1, nu: 1, tauSquared: 0.1 }],
    [[0], { mean: 0, kappa: 2, nu: 2, tauSquared: 0.05 }],
    [[1], { mean: 0.5, kappa: 2, nu: 2, tauSquared: 0.3 }],
    [[0.5, 0.25], { mean: 0.25, kappa: 3, nu: 3, tauSquared: 0.075 }],
    [[1, 0, 1], { mean: 0.5, kappa: 4, nu: 4, tauSquared: 0.275 }],
  ])('the posterior after %j is that of the specification', (scores, expected) => {
    const posterior = gaussianAfter(scores);
    expect(posterior.kappa).toBe(expected.kappa);
    expect(posterior.nu).toBe(expected.nu);
    expect(posterior.mean).toBeCloseTo(expected.mean, 14);
    expect(posterior.tauSquared).toBeCloseTo(expected.tauSquared, 14);
  });

  it('the running statistics agree with the formula over the whole list', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (scores) => {
        const n = scores.length;
        const average = scores.reduce((sum, score) => sum + score, 0) / n;
        const spread = scores.reduce((sum, score) => sum + (score - average) ** 2, 0);
        const posterior = gaussianAfter(scores);
        expect(posterior.mean).toBeCloseTo((n * average) / (1 + n), 12);
        expect(posterior.tauSquared).toBeCloseTo((0.1 + spread + (n * average ** 2) / (1 + n)) / (1 + n), 12);
      }),
    );
  });

  it('a million nearly equal scores leave no rounding in the spread', () => {
    const belief = new GaussianPosterior();
    for (let i = 0; i < 1_000_000; i++) belief.observe(0.9 + (i % 2) * 1e-7);
    const { tauSquared, nu, kappa, mean } = belief.posterior;
    const average = (mean * kappa) / belief.count;
    const spread = tauSquared * nu - 0.1 - (belief.count * average ** 2) / kappa;
    // The true spread is a million times 0.25e-14; a sum of squares minus a squared sum would be off by 1e-4.
    expect(Math.abs(spread)).toBeLessThan(1e-6);
  });
});

describe('Beta beliefs', () => {
  it('the posterior after 1, 0, 1 is that of the specification', () => {
    const belief = new BetaPosterior();
    for (const score of [1, 0, 1]) belief.observe(score);
    expect(belief.posterior).toEqual({ alpha: 2.5, beta: 1.5 });
  });
});

it.each(['gaussian', 'beta'] as const)('equal %s beliefs and streams draw equally', (kind) => {
  const draws = (): number[] => {
    const belief = newPosterior(kind);
    belief.observe(0.25);
    const random = randomStream('draws', 1);
    return Array.from({ length: 50 }, () => belief.draw(random));
  };
  expect(draws()).toEqual(draws());
});
