import { randomStream, runSteps } from '../base';
import {
  type Distribution,
  exactInterval,
  exactP,
  type Lattice,
  latticeOf,
  sumOfResample,
} from './exact-bootstrap';

/** `value`: the mean; `low` to `high`: its interval. All in the unit of the values. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

/** The seed of every bootstrap that the workbench shows: the same journals give the same intervals everywhere. */
export const BOOTSTRAP_SEED = 20_260_101;

/** For p-values: the smallest, 1 in 20 001, stays below 0.05 after correction for 190 comparisons. */
const TEST_RESAMPLES = 20_000;
const TEST_BLOCK = 1_000;
/** Sequential stop: this many resamples beyond the mean estimate a large p-value well (Besag and Clifford 1991). */
const ENOUGH_BEYOND = 100;

/**
 * Percentile bootstrap of a mean over problems (Efron). One object serves a whole analysis. Where the values are
 * multiples of a common fraction - passed or not, a mean over a few seeds or samples - the distribution over all
 * resamples is computed; elsewhere it is drawn, and all means over equally many problems use the same resamples.
 */
export class Bootstrap {
  readonly #seed: number;
  readonly #resamples: number;
  /** Per number of problems and purpose: how often each problem is drawn, one resample after the other. */
  readonly #draws = new Map<string, Uint8Array>();
  readonly #means: Float64Array;
  /** Exact intervals, cached: a table and its curves request the same ones many times. */
  readonly #known = new Map<string, { low: number; high: number }>();
  /** The last distribution: an interval and a test of it are requested one after the other. */
  #last: { readonly key: string; readonly distribution: Distribution } | null = null;

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
    const value = meanOf(own);
    if (own.every((other) => other === own[0])) return { value, low: value, high: value };
    const lattice = latticeOf(own);
    if (lattice !== null) return { value, ...this.#exact(lattice, miss) };
    this.#resample(own, this.#drawsOf(count, this.#resamples, 'bootstrap'), this.#means);
    this.#means.sort();
    return { value, low: quantile(this.#means, miss / 2), high: quantile(this.#means, 1 - miss / 2) };
  }

  /**
   * Two-sided p-value of "the mean of these differences, one per problem, is 0": how often the mean of a resample is at
   * least as far from the observed mean as that is from 0 (Efron and Tibshirani 1993, chapter 16, without
   * studentising).
   */
  p(differences: ArrayLike<number>): number {
    return runSteps(this.pSteps(differences));
  }

  /** The same, yielding after every block of resamples: the first test over many problems draws millions of numbers. */
  *pSteps(differences: ArrayLike<number>): Generator<void, number> {
    const own = Float64Array.from(differences);
    if (own.length === 0) throw new RangeError('A test needs a difference');
    const estimate = meanOf(own);
    if (Math.abs(estimate) < 1e-12) return 1;
    const lattice = latticeOf(own);
    if (lattice !== null) return exactP(lattice, this.#sumOf(lattice));
    const means = new Float64Array(TEST_BLOCK);
    let [done, beyond] = [0, 0];
    while (done < TEST_RESAMPLES && beyond < ENOUGH_BEYOND) {
      this.#resample(own, this.#drawsOf(own.length, TEST_BLOCK, `test ${done}`), means);
      for (const mean of means) if (Math.abs(mean - estimate) >= Math.abs(estimate) - 1e-12) beyond += 1;
      done += TEST_BLOCK;
      yield;
    }
    return (beyond + 1) / (done + 1);
  }

  #exact(lattice: Lattice, miss: number): { low: number; high: number } {
    const key = `${miss} ${keyOf(lattice)}`;
    let interval = this.#known.get(key);
    if (interval === undefined) {
      interval = exactInterval(lattice, this.#sumOf(lattice), miss / 2, 1 - miss / 2);
      this.#known.set(key, interval);
    }
    return interval;
  }

  #sumOf(lattice: Lattice): Distribution {
    const key = keyOf(lattice);
    if (this.#last?.key !== key) this.#last = { key, distribution: sumOfResample(lattice) };
    return this.#last.distribution;
  }

  #resample(own: Float64Array, draws: Uint8Array, means: Float64Array): void {
    const count = own.length;
    for (let r = 0, at = 0; r < means.length; r++) {
      let total = 0;
      for (let i = 0; i < count; i++) total += (draws[at++] as number) * (own[i] as number);
      means[r] = total / count;
    }
  }

  #drawsOf(count: number, resamples: number, purpose: string): Uint8Array {
    const key = `${purpose} ${count}`;
    let draws = this.#draws.get(key);
    if (draws === undefined) {
      // A byte is enough: a problem is drawn about once per resample, and never near 255 times.
      draws = new Uint8Array(resamples * count);
      const random = randomStream(this.#seed, purpose, count);
      for (let r = 0; r < resamples; r++) {
        for (let i = 0; i < count; i++) {
          const at = r * count + random.integer(count);
          draws[at] = (draws[at] as number) + 1;
        }
      }
      this.#draws.set(key, draws);
    }
    return draws;
  }
}

function keyOf({ steps, counts }: Lattice): string {
  return `${steps} ${counts.join(' ')}`;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Quantile of sorted values, with linear interpolation between neighbours; `level` in [0, 1]. */
export function quantile(sorted: ArrayLike<number>, level: number): number {
  const position = level * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (position - below) * (high - low);
}
