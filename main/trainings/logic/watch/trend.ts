/** Number of points averaged for comparisons, so that single batches do not decide. */
export const WINDOW = 10;

/** What alarms need of a series of any length: its start, best and recent values, and where it was not finite. */
export class Trend {
  #firstSum = 0;
  #recent: number[] = [];
  #best = { mean: Number.NEGATIVE_INFINITY, variance: 0 };
  #lastStep = 0;
  #endless: { first: number; last: number } | null = null;
  #count = 0;

  /** Finite points so far. */
  get count(): number {
    return this.#count;
  }

  /** Step of the newest point, finite or not. */
  get lastStep(): number {
    return this.#lastStep;
  }

  /** Mean of the first `WINDOW` points; NaN if there are fewer. */
  get first(): number {
    return this.#count < WINDOW ? Number.NaN : this.#firstSum / WINDOW;
  }

  /** Highest mean of `WINDOW` consecutive points, and their variance; NaN if there are fewer. */
  get best(): { readonly mean: number; readonly variance: number } {
    return this.#count < WINDOW ? { mean: Number.NaN, variance: Number.NaN } : this.#best;
  }

  /** The last finite points, at most `WINDOW`. */
  get recent(): readonly number[] {
    return this.#recent;
  }

  /** Steps of the first and last value that was NaN or infinite; null: none, or it was undone by a resume. */
  get nonFinite(): { readonly first: number; readonly last: number } | null {
    return this.#endless;
  }

  add(step: number, value: number): void {
    this.#lastStep = step;
    // The training continued from an earlier checkpoint: later values no longer count.
    if (this.#endless !== null && step <= this.#endless.first) this.#endless = null;
    if (!Number.isFinite(value)) {
      this.#endless = { first: this.#endless?.first ?? step, last: step };
      return;
    }
    this.#count += 1;
    if (this.#count <= WINDOW) this.#firstSum += value;
    this.#recent.push(value);
    if (this.#recent.length > WINDOW) this.#recent.shift();
    if (this.#recent.length < WINDOW) return;
    const mean = meanOf(this.#recent);
    if (mean > this.#best.mean) this.#best = { mean, variance: varianceOf(this.#recent) };
  }
}

export function meanOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  let sum = 0;
  for (const value of values) sum += (value - mean) ** 2;
  return sum / (values.length - 1);
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}
