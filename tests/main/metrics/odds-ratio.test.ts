import { describe, expect, it } from 'vitest';
import { oddsRatio } from '../../../main/metrics';

/** P(X <= most) of a binomial count, term by term. */
function atMost(most: number, trials: number, share: number): number {
  let [sum, ways] = [0, 1];
  for (let k = 0; k <= most; k++) {
    sum += ways * share ** k * (1 - share) ** (trials - k);
    ways *= (trials - k) / (k + 1);
  }
  return sum;
}

const shareOf = (odds: number): number => odds / (1 + odds);

describe('the odds ratio of problems that differ', () => {
  it.each([
    [8, 2],
    [2, 8],
    [1, 1],
    [37, 20],
    [86, 150],
  ])('of %i against %i has the ends at which the count found is just 2.5 %% likely', (first, second) => {
    const odds = oddsRatio(first, second);
    expect(odds?.value).toBe(first / second);
    const trials = first + second;
    // The definition of Clopper and Pearson: at the lower end so many or more, at the upper end so many or fewer.
    expect(1 - atMost(first - 1, trials, shareOf(odds?.low ?? 0))).toBeCloseTo(0.025, 9);
    expect(atMost(first, trials, shareOf(odds?.high ?? 0))).toBeCloseTo(0.025, 9);
  });

  it('leaves out 1 just where the exact McNemar test has p below 0.05', () => {
    // 2 * (1 + 9) / 512 and 2 * (1 + 8) / 256.
    expect(oddsRatio(8, 1)?.low).toBeGreaterThan(1);
    expect(oddsRatio(7, 1)?.low).toBeLessThan(1);
  });

  it('is infinite, with an infinite end, where the second wins none, and the reverse is 0', () => {
    // The share's interval of 5 of 5 is [0.025^(1/5), 1].
    const share = 0.025 ** (1 / 5);
    expect(oddsRatio(5, 0)).toMatchObject({ value: null, high: null });
    expect(oddsRatio(5, 0)?.low).toBeCloseTo(share / (1 - share), 9);
    expect(oddsRatio(0, 5)).toMatchObject({ value: 0, low: 0 });
    expect(oddsRatio(0, 5)?.high).toBeCloseTo((1 - share) / share, 9);
  });

  it('does not exist where the two differ on no problem', () => {
    expect(oddsRatio(0, 0)).toBeNull();
  });
});
