import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { Bootstrap, quantile } from '../../../main/metrics';

describe('the bootstrap', () => {
  it('gives the mean and the same interval for the same seed, where it is drawn', () => {
    const values = [0.11, 0.97, 0.43, 0.29, 0.83, 0.61];
    const first = new Bootstrap(1, 500).mean(values);
    expect(first.value).toBeCloseTo(0.54, 12);
    expect(new Bootstrap(1, 500).mean(values)).toEqual(first);
    expect(new Bootstrap(2, 500).mean(values)).not.toEqual(first);
  });

  it('of verdicts needs no seed: all resamples are counted', () => {
    const values = [1, 0, 0, 1, 1, 0, 1, 0.5];
    expect(new Bootstrap(1, 500).mean(values)).toEqual(new Bootstrap(2, 2).mean(values));
  });

  it('does not depend on what was asked before', () => {
    const used = new Bootstrap(1, 500);
    used.mean([1, 2, 3]);
    used.mean([0.11, 0.97]);
    used.p([0.11, 0.97, 0.43]);
    expect(used.mean([0.11, 0.97, 0.43])).toEqual(new Bootstrap(1, 500).mean([0.11, 0.97, 0.43]));
  });

  it('values that all agree have an interval without width', () => {
    expect(new Bootstrap(1, 100).mean([0.25, 0.25])).toEqual({ value: 0.25, low: 0.25, high: 0.25 });
  });

  it('a smaller chance to miss makes a wider interval', () => {
    const values = Array.from({ length: 40 }, (_, i) => i % 3);
    const bootstrap = new Bootstrap(1, 2000);
    const usual = bootstrap.mean(values);
    const careful = bootstrap.mean(values, 0.01);
    expect(careful.low).toBeLessThan(usual.low);
    expect(careful.high).toBeGreaterThan(usual.high);
  });

  it('95 % intervals of 60 problems hold the true rate in about 95 of 100 studies', () => {
    let held = 0;
    const studies = 1000;
    for (let study = 0; study < studies; study++) {
      const random = randomStream('coverage', study);
      const values = Array.from({ length: 60 }, () => Number(random.uniform() < 0.4));
      const { low, high } = new Bootstrap(study, 400).mean(values);
      if (low <= 0.4 && 0.4 <= high) held += 1;
    }
    // The percentile interval of 60 yes-or-no values is known to hold slightly less often than it says.
    expect(held / studies).toBeGreaterThan(0.92);
    expect(held / studies).toBeLessThan(0.975);
  });
});

/** The means of all n^n resamples, one by one. */
function allMeans(values: readonly number[]): number[] {
  let sums = [0];
  for (let i = 0; i < values.length; i++) sums = sums.flatMap((sum) => values.map((value) => sum + value));
  return sums.map((sum) => sum / values.length).sort((a, b) => a - b);
}

describe('against all resamples, one by one,', () => {
  const cases = [
    [1, 0, 0, 1, 1],
    [0.5, -0.25, 0, 0.25, 1, 0.75],
    [1 / 3, 2 / 3, 0, -1, 1 / 3],
    [1 / 24, 5 / 8, 0, 1 / 3, 1],
    // No common fraction: drawn, so only near.
    [0.113, 0.971, -0.432, 0.293, 0.618],
  ];

  it.each(cases)('the interval of %f %f %f ... is that of their middle 95 and 80 %%', (...values) => {
    const means = allMeans(values);
    const within = values.includes(0.113) ? 0.02 : 1e-9;
    for (const miss of [0.05, 0.2]) {
      const { low, high } = new Bootstrap(1, 20_000).mean(values, miss);
      const at = (level: number) => means[Math.ceil(level * means.length - 1e-6) - 1] ?? Number.NaN;
      expect(Math.abs(low - at(miss / 2))).toBeLessThan(within);
      expect(Math.abs(high - at(1 - miss / 2))).toBeLessThan(within);
    }
  });

  it.each(cases)('the p-value of differences %f %f %f ... is the share that lies as far out', (...values) => {
    const means = allMeans(values);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const share =
      means.filter((each) => Math.abs(each - mean) >= Math.abs(mean) - 1e-9).length / means.length;
    const within = values.includes(0.113) ? 0.02 : 1e-12;
    expect(Math.abs(new Bootstrap(1, 100).p(values) - share)).toBeLessThan(within);
  });
});

it('p-values of rates without a true difference are below 0.05 in about 5 of 100 studies', () => {
  let below = 0;
  for (let study = 0; study < 1000; study++) {
    const random = randomStream('null', study);
    const rate = () => random.integer(9) / 8;
    const differences = Array.from({ length: 60 }, () => rate() - rate());
    if (new Bootstrap(study, 2).p(differences) < 0.05) below += 1;
  }
  expect(below).toBeGreaterThan(30);
  expect(below).toBeLessThan(75);
});

it('differences that add up to nothing have p = 1', () => {
  expect(new Bootstrap(1, 2).p([1, -1, 0])).toBe(1);
});

it.each([
  [0, 1],
  [0.25, 2],
  [0.5, 3],
  [0.375, 2.5],
  [1, 5],
])('the %f quantile of 1 to 5 is %f', (level, expected) => {
  expect(quantile([1, 2, 3, 4, 5], level)).toBe(expected);
});
