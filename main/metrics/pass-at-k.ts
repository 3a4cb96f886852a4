/**
 * Unbiased estimate of pass@k from `samples` independent samples of which `passed` pass: the chance that a draw of k
 * of them, without putting back, holds one that passes (Chen et al. 2021, arXiv 2107.03374; product form).
 * null when there are fewer than k samples: then it cannot be estimated.
 */
export function passAtK(samples: number, passed: number, k: number): number | null {
  if (k < 1 || samples < k) return null;
  const wrong = samples - passed;
  if (wrong < k) return 1;
  let noneOfK = 1;
  for (let j = wrong + 1; j <= samples; j++) noneOfK *= 1 - k / j;
  return 1 - noneOfK;
}
