import { describe, expect, it } from 'vitest';
import { betaQuantile, studentHalfWidth } from '../../../main/metrics';

describe('quantiles', () => {
  // Of the arcsine law: sin²(πp / 2); of Beta(2, 1): the root; of Beta(1, 3): 1 - (1 - p)^(1/3).
  it.each([
    [0.05, 0.5, 0.5, Math.sin((Math.PI * 0.05) / 2) ** 2],
    [0.95, 0.5, 0.5, Math.sin((Math.PI * 0.95) / 2) ** 2],
    [0.3, 2, 1, Math.sqrt(0.3)],
    [0.9, 1, 3, 1 - 0.1 ** (1 / 3)],
  ])('%d of Beta(%d, %d)', (p, alpha, beta, value) => {
    expect(betaQuantile(p, alpha, beta)).toBeCloseTo(value, 10);
  });

  // One degree of freedom: tan(π share / 2); two: share · sqrt(2 / (1 - share²)); ten and a thousand: published tables.
  it.each([
    [0.9, 1, Math.tan(Math.PI * 0.45)],
    [0.9, 2, 0.9 * Math.sqrt(2 / (1 - 0.81))],
    [0.5, 2, 0.5 * Math.sqrt(2 / 0.75)],
    [0.9, 10, 1.812461],
    [0.95, 10, 2.228139],
    [0.9, 1_000, 1.646379],
  ])('%d of Student with %d degrees of freedom', (share, degrees, value) => {
    expect(studentHalfWidth(share, degrees)).toBeCloseTo(value, 5);
  });
});
