/** Adam (Kingma and Ba 2015) that climbs: it adds to the weights along the gradient. */
export type Adam = {
  /** One step; `gradient` is cut to `largestNorm` (Euclidean) first, and is zeroed afterwards. */
  readonly step: (weights: Float64Array, gradient: Float64Array, rate: number) => void;
};

export function adam(size: number, { beta1 = 0.9, beta2 = 0.95, largestNorm = 5 } = {}): Adam {
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  let steps = 0;
  const step: Adam['step'] = (weights, gradient, rate) => {
    steps += 1;
    let norm = 0;
    for (const g of gradient) norm += g * g;
    norm = Math.sqrt(norm);
    const cut = norm > largestNorm ? largestNorm / norm : 1;
    const meanScale = 1 / (1 - beta1 ** steps);
    const squareScale = 1 / (1 - beta2 ** steps);
    for (let i = 0; i < size; i++) {
      const g = (gradient[i] ?? 0) * cut;
      const m = beta1 * (mean[i] ?? 0) + (1 - beta1) * g;
      const s = beta2 * (square[i] ?? 0) + (1 - beta2) * g * g;
      mean[i] = m;
      square[i] = s;
      weights[i] = (weights[i] ?? 0) + (rate * m * meanScale) / (Math.sqrt(s * squareScale) + 1e-8);
    }
    gradient.fill(0);
  };
  return { step };
}
