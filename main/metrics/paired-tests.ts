/**
 * Exact two-sided McNemar test (McNemar 1947; exact by the binomial distribution): among the problems that exactly one
 * of two configurations solves, the first solves `onlyFirst`. If neither is better, each such problem falls to either
 * side with probability 1/2. 1 without such problems.
 */
export function mcnemarP(onlyFirst: number, onlySecond: number): number {
  const trials = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  // Binomial counts, scaled by powers of two: 0.5^n is 0 in floating point from n = 1075 on.
  let [ways, sum, halvings] = [1, 1, trials];
  for (let i = 1; i <= fewer; i++) {
    ways *= (trials - i + 1) / i;
    sum += ways;
    if (sum > 2 ** 500) [ways, sum, halvings] = [ways * 2 ** -500, sum * 2 ** -500, halvings - 500];
  }
  return Math.min(1, 2 * sum * 2 ** -halvings);
}

/**
 * p-values with Holm's correction (Holm 1979), in the given order. Claiming all corrected values below a level keeps
 * the chance of any wrong claim below that level.
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
