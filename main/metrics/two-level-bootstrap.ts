import { randomStream } from '../base';
import { type Estimate, quantile } from './bootstrap';

/** One quantity by seed and problem: `values[seed][problem]`, NaN where it is not known. */
export type SeedsByProblems = ReadonlyArray<ArrayLike<number>>;

/** The mean over problems, each the mean over its seeds; NaN when nothing is known. */
function crossedMean(values: SeedsByProblems): number {
  const means = problemMeans(values).filter((mean) => !Number.isNaN(mean));
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

/** Each problem's mean over the seeds that know it; NaN where none does. */
export function problemMeans(values: SeedsByProblems): number[] {
  return Array.from({ length: values[0]?.length ?? 0 }, (_, problem) =>
    knownMean(values.map((seed) => seed[problem] as number)),
  );
}

/** The mean of the values that are not NaN; NaN without such values. */
export function knownMean(values: readonly number[]): number {
  const measured = values.filter((value) => !Number.isNaN(value));
  return measured.reduce((sum, value) => sum + value, 0) / measured.length;
}

function knownValue(values: SeedsByProblems): number {
  const value = crossedMean(values);
  if (Number.isNaN(value)) throw new RangeError('A mean needs a value');
  return value;
}

function intervalOf(means: Float64Array): Omit<Estimate, 'value'> {
  const sorted = means.sort();
  return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

/**
 * Percentile bootstrap of a mean over seeds and problems that are crossed: every seed met the same problems. Each
 * resample draws seeds and, apart from them, problems, both with replacement (Owen 2007, "The pigeonhole bootstrap"),
 * so that the interval covers the randomness of training and the choice of problems. It is too narrow where few
 * seeds differ much. All means over equally many seeds and problems use the same resamples.
 */
export class TwoLevelBootstrap {
  readonly #seed: number;
  readonly #resamples: number;
  readonly #draws = new Map<string, Uint8Array>();

  constructor(seed: number, resamples: number) {
    if (!Number.isInteger(resamples) || resamples < 2) {
      throw new RangeError('A bootstrap needs two resamples');
    }
    this.#seed = seed;
    this.#resamples = resamples;
  }

  /** With its 95 % interval. Needs a known value. */
  mean(values: SeedsByProblems): Estimate {
    return { value: knownValue(values), ...intervalOf(Float64Array.from(this.#drawn(values))) };
  }

  /**
   * The same of differences, with the two-sided p of the percentile bootstrap: below 0.05 only where the interval is on one
   * side of 0.
   */
  difference(values: SeedsByProblems): Estimate & { readonly p: number } {
    const value = knownValue(values);
    const means = this.#drawn(values);
    const [below, above] = [means.filter((mean) => mean <= 0), means.filter((mean) => mean >= 0)];
    const p = Math.min(1, (2 * Math.min(below.length, above.length)) / means.length);
    return { value, ...intervalOf(Float64Array.from(means)), p };
  }

  /**
   * `mean` of one step of a curve after the other: only what has changed since the last one costs time. Values are 0 or 1,
   * so that sums stay exact; each step has as many seeds and problems.
   */
  repeatedMeans(): (values: SeedsByProblems) => Estimate {
    const totals = new Float64Array(this.#resamples);
    let before: SeedsByProblems = [];
    return (values) => {
      const [seeds, problems] = [values.length, values[0]?.length ?? 0];
      const [seedDraws, problemDraws] = this.#drawsFor(values);
      for (let s = 0; s < seeds; s++) {
        for (let p = 0; p < problems; p++) {
          const change = (values[s]?.[p] as number) - (before[s]?.[p] ?? 0);
          if (change === 0) continue;
          for (let r = 0; r < totals.length; r++) {
            const times = (seedDraws[r * seeds + s] as number) * (problemDraws[r * problems + p] as number);
            totals[r] = (totals[r] as number) + change * times;
          }
        }
      }
      before = values;
      return { value: crossedMean(values), ...intervalOf(totals.map((sum) => sum / (seeds * problems))) };
    };
  }

  /** The mean of each resample. */
  #drawn(values: SeedsByProblems): number[] {
    const rows = values.map((own) => Float64Array.from(own));
    return rows.some((own) => own.includes(Number.NaN)) ? this.#knownMeans(rows) : this.#means(rows);
  }

  /** For values that are all known: a weighted sum. */
  #means(rows: readonly Float64Array[]): number[] {
    const problems = rows[0]?.length ?? 0;
    const [seedDraws, problemDraws] = this.#drawsFor(rows);
    return Array.from({ length: this.#resamples }, (_, r) => {
      const [seedStart, start] = [r * rows.length, r * problems];
      let total = 0;
      for (let s = 0; s < rows.length; s++) {
        const times = seedDraws[seedStart + s] as number;
        if (times === 0) continue;
        const own = rows[s] as Float64Array;
        let sum = 0;
        for (let p = 0; p < problems; p++) sum += (problemDraws[start + p] as number) * (own[p] as number);
        total += times * sum;
      }
      return total / (rows.length * problems);
    });
  }

  /** Each problem's mean is over the drawn seeds that know it; a resample without known values is left out. */
  #knownMeans(rows: readonly Float64Array[]): number[] {
    const [seeds, problems] = [rows.length, rows[0]?.length ?? 0];
    const [seedDraws, problemDraws] = this.#drawsFor(rows);
    /** Problem by problem, so that a problem's seeds lie side by side. */
    const values = new Float64Array(seeds * problems);
    for (const [s, own] of rows.entries())
      for (const [p, value] of own.entries()) values[p * seeds + s] = value;
    const means: number[] = [];
    for (let r = 0; r < this.#resamples; r++) {
      let [total, drawn] = [0, 0];
      for (let p = 0; p < problems; p++) {
        const times = problemDraws[r * problems + p] as number;
        if (times === 0) continue;
        let [sum, count] = [0, 0];
        for (let s = 0; s < seeds; s++) {
          const value = values[p * seeds + s] as number;
          const weight = seedDraws[r * seeds + s] as number;
          if (weight === 0 || Number.isNaN(value)) continue;
          sum += weight * value;
          count += weight;
        }
        if (count === 0) continue;
        total += (times * sum) / count;
        drawn += times;
      }
      if (drawn > 0) means.push(total / drawn);
    }
    return means;
  }

  #drawsFor(rows: SeedsByProblems): readonly [Uint8Array, Uint8Array] {
    return [this.#drawsOf('seeds', rows.length), this.#drawsOf('problems', rows[0]?.length ?? 0)];
  }

  /** Counts of how often each item is drawn, one resample after the other. */
  #drawsOf(level: 'seeds' | 'problems', count: number): Uint8Array {
    const key = `${level} ${count}`;
    let draws = this.#draws.get(key);
    if (draws === undefined) {
      draws = new Uint8Array(this.#resamples * count);
      const random = randomStream(this.#seed, 'two-level bootstrap', level, count);
      for (let r = 0; r < this.#resamples; r++) {
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
