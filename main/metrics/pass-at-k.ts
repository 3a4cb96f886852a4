/**
 * Unbiased estimate of pass@k from `samples` independent samples of which `passed` pass: the chance that one of k draws
 * without replacement passes (Chen et al. 2021, arXiv 2107.03374; product form). null with fewer than k samples.
 */
export function passAtK(samples: number, passed: number, k: number): number | null {
  if (k < 1 || samples < k) return null;
  const wrong = samples - passed;
  if (wrong < k) return 1;
  let noneOfK = 1;
  for (let j = wrong + 1; j <= samples; j++) noneOfK *= 1 - k / j;
  return 1 - noneOfK;
}

/**
 * G-Pass@k at tau (Liu et al. 2024, arXiv 2412.13147): the chance that at least tau * k samples pass when k are drawn
 * without replacement from `samples` independent ones, of which `passed` pass; the hypergeometric tail. tau in (0, 1];
 * tau = 1: all pass; tau * k <= 1: pass@k. null with fewer than k samples.
 */
export function gPassAtK(samples: number, passed: number, k: number, tau: number): number | null {
  if (k < 1 || samples < k) return null;
  const wrong = samples - passed;
  // 0.1 * 30 is a little more than 3 in floating point.
  const least = Math.max(1, Math.ceil(tau * k - 1e-9), k - wrong);
  const most = Math.min(k, passed);
  let sum = 0;
  for (let i = least; i <= most; i++) {
    sum += Math.exp(logChoose(passed, i) + logChoose(wrong, k - i) - logChoose(samples, k));
  }
  return Math.min(1, sum);
}

/** ln of n over k. */
function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= Math.min(k, n - k); i++) sum += Math.log((n - i + 1) / i);
  return sum;
}
