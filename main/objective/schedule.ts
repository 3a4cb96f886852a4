const WARM_UP_SHARE = 0.03;
const FINAL_RATE_SHARE = 0.1;

/**
 * Learning rate of an update: linear to `peak` over the first 3 % of the `steps` updates (at least one), then along a
 * cosine down to a tenth of it at the last (MARTI: cosine_with_min_lr). `step` counts from 1, so that no update has the
 * rate 0; after the last step the rate stays.
 */
export function learningRate(step: number, steps: number, peak: number): number {
  if (!(step >= 1 && steps >= 1)) throw new RangeError(`There is no update ${step} of ${steps}`);
  const warmUp = Math.ceil(WARM_UP_SHARE * steps);
  if (step <= warmUp) return (peak * step) / warmUp;
  const done = Math.min(1, (step - warmUp) / (steps - warmUp));
  return peak * (FINAL_RATE_SHARE + ((1 - FINAL_RATE_SHARE) * (1 + Math.cos(Math.PI * done))) / 2);
}
