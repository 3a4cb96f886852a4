import { randomStream } from '../base';

/** `value`: the mean; `low` to `high`: its interval. All in the unit of the values. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

/**
 * Percentile bootstrap of a mean over problems (Efron). One object serves a whole analysis: all means over equally
 * many problems use the same resamples, so that figures of one table fit each other and differences are paired.
 */
export class Bootstrap {
  readonly #seed: number;
  readonly #resamples: number;
  /** Per number of problems: how often each problem is drawn, one resample after the other. */
  readonly #draws = new Map<number, Uint16Array>();
  readonly #means: Float64Array;

  constructor(seed: number, resamples: number) {
    if (!Number.isInteger(resamples) || resamples < 2)
      throw new RangeError('A bootstrap needs two resamples');
    this.#seed = seed;
    this.#resamples = resamples;
    this.#means = new Float64Array(resamples);
  }

  /**
   * The mean of one value per problem, with the interval that leaves out `miss` (0.05: the 95 % interval) in equal
   * parts on both sides. Needs at least one value.
   */
  mean(values: ArrayLike<number>, miss = 0.05): Estimate {
    const count = values.length;
    if (count === 0) throw new RangeError('A mean needs a value');
    const own = Float64Array.from(values);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += own[i] as number;
    const value = sum / count;
    if (own.every((other) => other === own[0])) return { value, low: value, high: value };

    const draws = this.#drawsOf(count);
    for (let r = 0, at = 0; r < this.#resamples; r++) {
      let total = 0;
      for (let i = 0; i < count; i++) total += (draws[at++] as number) * (own[i] as number);
      this.#means[r] = total / count;
    }
    this.#means.sort();
    return { value, low: quantile(this.#means, miss / 2), high: quantile(this.#means, 1 - miss / 2) };
  }

  #drawsOf(count: number): Uint16Array {
    let draws = this.#draws.get(count);
    if (draws === undefined) {
      draws = new Uint16Array(this.#resamples * count);
      const random = randomStream(this.#seed, 'bootstrap', count);
      for (let r = 0; r < this.#resamples; r++) {
        for (let i = 0; i < count; i++) {
          const at = r * count + random.integer(count);
          draws[at] = (draws[at] as number) + 1;
        }
      }
      this.#draws.set(count, draws);
    }
    return draws;
  }
}

/** Of sorted values, with linear interpolation between neighbours; `level` in [0, 1]. */
export function quantile(sorted: ArrayLike<number>, level: number): number {
  const position = level * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (position - below) * (high - low);
}
