import { expect, it } from 'vitest';
import { DIFFERENCES, withExactEnds } from '../../../main/metrics/exact-rates';

/** P(X <= k) of a binomial. */
function atMost(k: number, n: number, p: number): number {
  let [sum, term] = [0, (1 - p) ** n];
  for (let i = 0; i <= k; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return sum;
}

it.each([1, 6, 60, 175])('of %d problems that all agree the interval is that of Clopper and Pearson', (n) => {
  const none = withExactEnds({ value: 0, low: 0, high: 0 }, n);
  const all = withExactEnds({ value: 1, low: 1, high: 1 }, n);
  // At the upper end no success at all is as unlikely as the tail.
  expect(atMost(0, n, none.high)).toBeCloseTo(0.025, 10);
  expect(none.low).toBe(0);
  expect([all.value, all.high]).toEqual([1, 1]);
  expect(all.low).toBeCloseTo(1 - none.high, 12);
});

it.each([1, 6, 60, 175])(
  'of %d problems without a difference the interval covers a share that may differ',
  (n) => {
    const same = withExactEnds({ value: 0, low: 0, high: 0 }, n, DIFFERENCES);
    // If so large a share differed, all one way, none of n would be seen in 2.5 % of studies.
    expect(atMost(0, n, same.high)).toBeCloseTo(0.025, 10);
    expect(same.low).toBe(-same.high);
    // First always better: the far end is where as many of n such problems are as unlikely, the others going the other way.
    const first = withExactEnds({ value: 1, low: 1, high: 1 }, n, DIFFERENCES);
    expect(first.high).toBe(1);
    expect(((1 + first.low) / 2) ** n).toBeCloseTo(0.025, 10);
  },
);

it('one value between the ends has room to both', () => {
  const half = withExactEnds({ value: 0.5, low: 0.5, high: 0.5 }, 60);
  expect([half.low + half.high, half.high - half.low]).toEqual([
    1,
    expect.closeTo(1 - 0.025 ** (1 / 60), 12),
  ]);
});

it('other intervals stay as they are', () => {
  for (const estimate of [
    { value: 0, low: -0.1, high: 0.1 },
    { value: 1, low: 0.9, high: 1 },
  ]) {
    expect(withExactEnds(estimate, 60)).toEqual(estimate);
  }
});
