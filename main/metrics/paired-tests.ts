/**
 * Exact two-sided McNemar test (McNemar 1947; exact by the binomial distribution): of the problems that just one of two
 * configurations solves, `onlyFirst` are solved by the first. If neither is better, each falls to either side with
 * probability 1/2. 1 when there is no such problem.
 */
export function mcnemarP(onlyFirst: number, onlySecond: number): number {
  const trials = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  // Counts of ways, kept in range by powers of two: 0.5^n is 0 in floating point from n = 1075 on.
  let [ways, sum, halvings] = [1, 1, trials];
  for (let i = 1; i <= fewer; i++) {
    ways *= (trials - i + 1) / i;
    sum += ways;
    if (sum > 2 ** 500) [ways, sum, halvings] = [ways * 2 ** -500, sum * 2 ** -500, halvings - 500];
  }
  return Math.min(1, 2 * sum * 2 ** -halvings);
}

/**
 * p-values corrected for their number (Holm 1979), in the given order: the chance that any claim of the family is wrong
 * stays below the level at which the corrected values are cut.
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, i) => i).sort((a, b) => (ps[a] as number) - (ps[b] as number) || a - b);
  const corrected = new Array<number>(ps.length).fill(1);
  let largest = 0;
  for (const [rank, i] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (ps.length - rank) * (ps[i] as number)));
    corrected[i] = largest;
  }
  return corrected;
}
