import { randomStream } from '../base';

/** Number of draws if the values are not multiples of a common fraction; the smallest p-value is then 1 in 20 001. */
const DRAWS = 20_000;
/** Sequential stop: this many draws as extreme estimate a large p-value well (Besag and Clifford 1991). */
const ENOUGH_BEYOND = 200;
/** A rate over 5 seeds, 3 agents and 16 samples is a multiple of 1/240; ten times as fine is as fine as it gets. */
const MAX_STEPS = 2_400;
/** The largest sum to count up to: some thousand problems with such rates. */
const MAX_SUM = 100_000;

/**
 * Two-sided p-value of "each of these differences, one per problem, has either sign with equal probability" (Fisher
 * 1935: all ways to flip the signs): how often the sum is at least as far from 0 as the observed one. Exact if the
 * differences are multiples of a common fraction, as rates over samples and seeds are; else from seeded draws. 1
 * without differences.
 */
export function signFlipP(differences: readonly number[], seed: number): number {
  const differing = differences.filter((difference) => Math.abs(difference) > 1e-12);
  if (differing.length === 0) return 1;
  const integers = inWholeSteps(differing);
  return integers === null ? drawnP(differing, seed) : exactP(integers);
}

/** The differences as multiples of a common fraction; null if there is none, or it is too small. */
function inWholeSteps(values: readonly number[]): number[] | null {
  let steps = 1;
  for (const value of values) {
    let factor = 1;
    while (steps * factor <= MAX_STEPS && !isWhole(value * steps * factor)) factor += 1;
    steps *= factor;
    if (steps > MAX_STEPS) return null;
  }
  const rounded = values.map((value) => Math.round(value * steps));
  return rounded.reduce((sum, difference) => sum + Math.abs(difference), 0) > MAX_SUM ? null : rounded;
}

/** The distribution of the sum over all 2^n ways, one problem after the other. */
function exactP(differences: readonly number[]): number {
  const most = differences.reduce((sum, difference) => sum + Math.abs(difference), 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  /** The chance of each sum, from -most on. */
  let chances = new Float64Array(2 * most + 1);
  chances[most] = 1;
  let furthest = 0;
  for (const difference of differences) {
    const next = new Float64Array(chances.length);
    for (let at = most - furthest; at <= most + furthest; at++) {
      const half = (chances[at] as number) / 2;
      if (half === 0) continue;
      next[at - difference] = (next[at - difference] as number) + half;
      next[at + difference] = (next[at + difference] as number) + half;
    }
    furthest += Math.abs(difference);
    chances = next;
  }
  let p = 0;
  for (const [at, chance] of chances.entries()) if (Math.abs(at - most) >= observed) p += chance;
  return Math.min(1, p);
}

function drawnP(differences: readonly number[], seed: number): number {
  const random = randomStream(seed, 'sign flips', differences.length);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  let [draws, beyond] = [0, 0];
  while (draws < DRAWS && beyond < ENOUGH_BEYOND) {
    draws += 1;
    let [sum, signs] = [0, 0];
    for (let i = 0; i < differences.length; i++) {
      if (i % 31 === 0) signs = random.integer(2 ** 31);
      const difference = differences[i] as number;
      sum += signs & 1 ? difference : -difference;
      signs >>>= 1;
    }
    if (Math.abs(sum) >= observed - 1e-12) beyond += 1;
  }
  // The observed signs are one of the ways, too.
  return (beyond + 1) / (draws + 1);
}

function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-7;
}
