import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../main/base';
import { Bootstrap, quantile } from '../../../main/metrics';

describe('the bootstrap', () => {
  it('gives the mean and the same interval for the same seed', () => {
    const values = [1, 0, 0, 1, 1, 0, 1, 0];
    const first = new Bootstrap(1, 500).mean(values);
    expect(first.value).toBe(0.5);
    expect(new Bootstrap(1, 500).mean(values)).toEqual(first);
    expect(new Bootstrap(2, 500).mean(values.map((value, i) => value + i / 10))).not.toEqual(
      new Bootstrap(1, 500).mean(values.map((value, i) => value + i / 10)),
    );
  });

  it('does not depend on what was asked before', () => {
    const used = new Bootstrap(1, 500);
    used.mean([1, 2, 3]);
    used.mean([1, 0, 1, 0]);
    expect(used.mean([1, 0, 0, 1])).toEqual(new Bootstrap(1, 500).mean([1, 0, 0, 1]));
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

it.each([
  [0, 1],
  [0.25, 2],
  [0.5, 3],
  [0.375, 2.5],
  [1, 5],
])('the %f quantile of 1 to 5 is %f', (level, expected) => {
  expect(quantile([1, 2, 3, 4, 5], level)).toBe(expected);
});
