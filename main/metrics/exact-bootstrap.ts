/**
 * The ideal bootstrap of a mean: the distribution over all resamples, not over some of them (Efron and Tibshirani,
 * An Introduction to the Bootstrap, 1993, chapter 6). Where every value is a multiple of 1/m, the sum of a resample is
 * a whole number of m-ths, and its distribution is the n-fold convolution of the distribution of one value.
 */

/** `mass[i]` is the probability of the whole number `first + i`. */
export type Distribution = { readonly first: number; readonly mass: Float64Array };

/** Values as multiples of 1/m, with their counts. */
export type Lattice = {
  /** m: steps per 1. */
  readonly steps: number;
  /** Number of values. */
  readonly count: number;
  /** Sum of the values in steps. */
  readonly sum: number;
  /** [value in steps, how often], by value. Equal lattices have equal distributions. */
  readonly counts: ReadonlyArray<readonly [number, number]>;
};

/** 24 = 8 samples of 3 agents or seeds; finer lattices cost more than resampling. */
const MAX_STEPS = 24;

/** Rates and their differences span 2; this excludes large quantities with whole values. */
const WIDEST = 4;

/** Both tails of a distribution are cut where their probability is below this, far below any p-value of interest. */
const NEGLIGIBLE = 1e-18;

/** null when the values are no multiples of 1/m for any m up to 24. */
export function latticeOf(values: ArrayLike<number>): Lattice | null {
  let steps = 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (isWhole(value * steps)) continue;
    let own = 2;
    while (own <= MAX_STEPS && !isWhole(value * own)) own += 1;
    if (own > MAX_STEPS) return null;
    steps = leastCommonMultiple(steps, own);
    if (steps > MAX_STEPS) return null;
  }
  const counts = new Map<number, number>();
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const step = Math.round((values[i] as number) * steps);
    counts.set(step, (counts.get(step) ?? 0) + 1);
    sum += step;
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const [first, last] = [sorted[0]?.[0] ?? 0, sorted.at(-1)?.[0] ?? 0];
  if (last - first > WIDEST * steps) return null;
  return { steps, count: values.length, sum, counts: sorted };
}

/** The `low` and `high` quantiles of the mean of a resample, whose sum has this distribution. */
export function exactInterval(
  lattice: Lattice,
  { first, mass }: Distribution,
  low: number,
  high: number,
): { low: number; high: number } {
  const scale = lattice.steps * lattice.count;
  const at = (level: number): number => {
    let cumulative = 0;
    for (let i = 0; i < mass.length; i++) {
      cumulative += mass[i] as number;
      if (cumulative >= level - 1e-12) return (first + i) / scale;
    }
    return (first + mass.length - 1) / scale;
  };
  return { low: at(low), high: at(high) };
}

/**
 * Two-sided p-value of "the mean is 0": the chance that the mean of a resample is at least as far from the observed
 * mean as that is from 0 (the bootstrap distribution, moved to the null hypothesis).
 */
export function exactP(lattice: Lattice, { first, mass }: Distribution): number {
  const far = Math.abs(lattice.sum);
  let p = 0;
  for (let i = 0; i < mass.length; i++) {
    if (Math.abs(first + i - lattice.sum) >= far) p += mass[i] as number;
  }
  return Math.min(1, p);
}

/** The distribution of the sum of a resample, in steps. */
export function sumOfResample({ count, counts }: Lattice): Distribution {
  const first = counts[0]?.[0] ?? 0;
  const single = new Float64Array((counts.at(-1)?.[0] ?? 0) - first + 1);
  for (const [step, times] of counts) single[step - first] = times / count;
  // By squaring: the sum of n from the sums of n / 2.
  let result: Distribution = { first: 0, mass: Float64Array.of(1) };
  let power: Distribution = { first, mass: single };
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = convolved(result, power);
    if (left > 1) power = convolved(power, power);
  }
  return result;
}

function convolved(a: Distribution, b: Distribution): Distribution {
  const mass = new Float64Array(a.mass.length + b.mass.length - 1);
  for (let i = 0; i < a.mass.length; i++) {
    const weight = a.mass[i] as number;
    if (weight === 0) continue;
    for (let j = 0; j < b.mass.length; j++) {
      mass[i + j] = (mass[i + j] as number) + weight * (b.mass[j] as number);
    }
  }
  let [start, end] = [0, mass.length];
  for (let cut = mass[0] as number; start < end - 1 && cut < NEGLIGIBLE; cut += mass[start] as number)
    start += 1;
  for (let cut = mass[end - 1] as number; end - 1 > start && cut < NEGLIGIBLE; cut += mass[end - 1] as number)
    end -= 1;
  return { first: a.first + b.first + start, mass: mass.slice(start, end) };
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-9;
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
