import { incompleteBeta, studentTail } from './t-test';

/** Halvings of an interval of length 1 until it is as small as a float's last digit. */
const HALVINGS = 52;

/** The value that Beta(alpha, beta) stays below with probability `p01`. */
export function betaQuantile(p01: number, alpha: number, beta: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, alpha, beta) < p01) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The distance from its centre within which Student's distribution lies with probability `share01`. */
export function studentHalfWidth(share01: number, degreesOfFreedom: number): number {
  let high = 1;
  while (studentTail(high, degreesOfFreedom) > 1 - share01) high *= 2;
  let low = high / 2 < 1 ? 0 : high / 2;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (studentTail(middle, degreesOfFreedom) > 1 - share01) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
