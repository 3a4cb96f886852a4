/** Adam (Kingma and Ba 2015) as gradient ascent: a step moves the weights along the gradient. */
export type Adam = {
  /**
   * One step. Clips `gradient` to `largestNorm` (Euclidean) first and zeroes it afterwards. Returns the norm before
   * clipping.
   */
  readonly step: (weights: Float64Array, gradient: Float64Array, rate: number) => number;
  /** The optimiser's own arrays, not copies; `from` accepts them. */
  readonly state: () => AdamState;
};

/** Moments of the gradient, as long as the weights, and the number of steps so far. */
export type AdamState = {
  readonly mean: Float64Array;
  readonly square: Float64Array;
  readonly steps: number;
};

export type AdamOptions = {
  readonly beta1?: number;
  readonly beta2?: number;
  readonly largestNorm?: number;
  /** State to continue from; left out: a fresh start. */
  readonly from?: AdamState;
};

export function adam(
  size: number,
  { beta1 = 0.9, beta2 = 0.95, largestNorm = 5, from }: AdamOptions = {},
): Adam {
  const mean = from?.mean.slice() ?? new Float64Array(size);
  const square = from?.square.slice() ?? new Float64Array(size);
  let steps = from?.steps ?? 0;
  const step: Adam['step'] = (weights, gradient, rate) => {
    steps += 1;
    let norm = 0;
    for (let i = 0; i < size; i++) {
      const g = gradient[i] as number;
      norm += g * g;
    }
    norm = Math.sqrt(norm);
    const cut = norm > largestNorm ? largestNorm / norm : 1;
    const meanScale = 1 / (1 - beta1 ** steps);
    const squareScale = 1 / (1 - beta2 ** steps);
    for (let i = 0; i < size; i++) {
      const g = (gradient[i] as number) * cut;
      const m = beta1 * (mean[i] as number) + (1 - beta1) * g;
      const s = beta2 * (square[i] as number) + (1 - beta2) * g * g;
      mean[i] = m;
      square[i] = s;
      weights[i] = (weights[i] as number) + (rate * m * meanScale) / (Math.sqrt(s * squareScale) + 1e-8);
    }
    gradient.fill(0);
    return norm;
  };
  return { step, state: () => ({ mean, square, steps }) };
}
