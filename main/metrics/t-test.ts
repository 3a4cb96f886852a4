/** A continued fraction that has not converged by then never does; 40 terms are usual. */
const MAX_TERMS = 500;
const CONVERGED = 1e-15;
/** Stands for 0 in a denominator (Lentz's method). */
const TINY = 1e-300;

/**
 * Two-sided p-value of "the mean of these values is 0" by Student's t test (Student 1908): for a few values that are
 * about normal, here one per seed. null for fewer than two values, and if all are equal and not 0: the test needs their
 * spread.
 */
export function tTestP(values: readonly number[]): number | null {
  const n = values.length;
  if (n < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  // Rounding of equal values leaves squares of some 1e-32.
  if (squares <= n * (1e-12 * Math.max(1, Math.abs(mean))) ** 2) return Math.abs(mean) < 1e-12 ? 1 : null;
  const t = mean / Math.sqrt(squares / (n - 1) / n);
  return studentTail(t, n - 1);
}

/**
 * P(|T| >= |t|) of Student's distribution: I_x(df / 2, 1 / 2) with x = df / (df + t²) (Abramowitz and Stegun 26.7.1).
 */
export function studentTail(t: number, degreesOfFreedom: number): number {
  return incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
}

/** The regularised incomplete beta function I_x(a, b), x in [0, 1], a and b above 0 (Abramowitz and Stegun 26.5.8). */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast below the mean; above it the other tail is used.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const logFront =
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x) - Math.log(a);
  return Math.exp(logFront) / betaFraction(x, a, b);
}

/** 1 + d₁ / (1 + d₂ / (1 + ...)), whose inverse the incomplete beta function is a multiple of; by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let [value, above, below] = [1, 1, 0];
  for (let i = 1; i <= MAX_TERMS; i++) {
    const m = Math.floor(i / 2);
    const term =
      i % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    below = 1 / (1 + term * below || TINY);
    above = 1 + term / above || TINY;
    const step = above * below;
    value *= step;
    if (Math.abs(step - 1) < CONVERGED) break;
  }
  return value;
}

/** Stirling's series from 15 on, below that by Γ(x + 1) = x Γ(x); to about 1e-15. */
function logGamma(x: number): number {
  let [at, product] = [x, 1];
  while (at < 15) {
    product *= at;
    at += 1;
  }
  const inverse = 1 / at;
  const square = inverse * inverse;
  const series =
    inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188))));
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - Math.log(product);
}
