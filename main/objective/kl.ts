import type { Objective } from '../../preload/contract';
import { assertNever } from '../base';

type Estimator = Objective['kl']['estimator'];

/** MARTI clips the estimate, not the ratio. */
const MAX_ESTIMATE = 10;
/** Far beyond the clipping of each estimate; keeps exp finite. */
const MAX_LOG_RATIO = 100;

/**
 * Estimate of the divergence from the reference at one token (Schulman, "Approximating KL divergence"), from
 * `logRatio` = log of the policy's probability minus the reference's, and its slope along it:
 * k1 = l, k2 = l^2 / 2, k3 = exp(-l) - 1 + l, each clipped to [-10, 10], where the slope is 0.
 * As a loss, k1 has slope 1 everywhere, so no effect on average; it is only for comparison.
 */
export function klEstimate(
  logRatio: number,
  estimator: Estimator,
): { readonly value: number; readonly slope: number } {
  const { value, slope } = unclipped(Math.min(MAX_LOG_RATIO, Math.max(-MAX_LOG_RATIO, logRatio)), estimator);
  if (value > MAX_ESTIMATE) return { value: MAX_ESTIMATE, slope: 0 };
  if (value < -MAX_ESTIMATE) return { value: -MAX_ESTIMATE, slope: 0 };
  return { value, slope };
}

function unclipped(logRatio: number, estimator: Estimator): { value: number; slope: number } {
  switch (estimator) {
    case 'k1':
      return { value: logRatio, slope: 1 };
    case 'k2':
      return { value: logRatio ** 2 / 2, slope: logRatio };
    case 'k3':
      // expm1 keeps the digits near 0, where most tokens are.
      return { value: Math.expm1(-logRatio) + logRatio, slope: -Math.expm1(-logRatio) };
    default:
      return assertNever(estimator);
  }
}
