import { seedSpread } from './seed-spread';
import { knownMean } from './two-level-bootstrap';

/** A standardised mean difference with its 95 % interval. */
export type EffectSize = { readonly value: number; readonly low: number; readonly high: number };

const HALVINGS = 60;
/** Even: Simpson's rule. */
const STEPS = 400;
/** Standard deviations from the centre of the chi distribution, beyond which nothing counts. */
const REACH = 8;

/**
 * The mean of paired differences in units of their own standard deviation (Cohen's d of pairs), with its exact interval by
 * the noncentral t distribution (Steiger and Fouladi 1997). null: fewer than two, or they do not differ.
 */
export function pairedEffectSize(differences: readonly number[]): EffectSize | null {
  const n = differences.length;
  if (n < 2) return null;
  const mean = knownMean(differences);
  const sd = seedSpread(differences.map((one) => [one])).seedSpread?.sd ?? 0;
  // Of equal values but for rounding.
  if (sd <= 1e-9 * Math.max(1, Math.abs(mean))) return null;
  const root = Math.sqrt(n);
  const t = (mean / sd) * root;
  const boundAt = (p01: number): number => noncentrality(t, n - 1, p01) / root;
  return { value: mean / sd, low: boundAt(0.975), high: boundAt(0.025) };
}

/** The noncentrality with which a noncentral t is at most `t` with probability `p01`. */
function noncentrality(t: number, degreesOfFreedom: number, p01: number): number {
  const reach = 10 + 5 * Math.abs(t);
  let [low, high] = [t - reach, t + reach];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (noncentralT(t, degreesOfFreedom, middle) > p01) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(T <= t): the mean of Phi(t s - delta) over s, where df s² is chi-squared with df degrees of freedom. */
export function noncentralT(t: number, degreesOfFreedom: number, delta: number): number {
  const width = REACH / Math.sqrt(2 * degreesOfFreedom);
  const [from, to] = [Math.max(0, 1 - width), 1 + width];
  let [sum, whole] = [0, 0];
  for (let i = 0; i <= STEPS; i++) {
    const s = from + ((to - from) * i) / STEPS;
    const simpson = i === 0 || i === STEPS ? 1 : i % 2 === 1 ? 4 : 2;
    // Its highest value is 1 where df is above 1, so that nothing overflows.
    const density = s ** (degreesOfFreedom - 1) * Math.exp((-degreesOfFreedom * (s * s - 1)) / 2);
    sum += simpson * density * normalShare(t * s - delta);
    whole += simpson * density;
  }
  return sum / whole;
}

/** The share of a normal distribution below x, to about 1e-7 (Abramowitz and Stegun 26.2.17). */
function normalShare(x: number): number {
  const z = Math.abs(x);
  const k = 1 / (1 + 0.231_641_9 * z);
  const terms =
    k *
    (0.319_381_53 + k * (-0.356_563_782 + k * (1.781_477_937 + k * (-1.821_255_978 + k * 1.330_274_429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * terms;
  return x > 0 ? 1 - tail : tail;
}
