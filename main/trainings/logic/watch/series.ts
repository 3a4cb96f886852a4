import { thinned } from './thinning';
import { Trend } from './trend';

/** Points that a series holds before it is thinned to half of them. */
const MAX_POINTS = 4_096;

/** One quantity of one agent, of any length, in bounded memory. */
export class Series {
  #steps: number[] = [];
  #values: number[] = [];
  /** As long as the others, or empty: unknown. */
  #samples: number[] = [];
  readonly trend = new Trend();

  get last(): number | undefined {
    return this.#values.at(-1);
  }

  /** A repeated step means that the training continued from an earlier checkpoint: later points are dropped. */
  add(step: number, value: number, samples: number | undefined): void {
    this.trend.add(step, value);
    while ((this.#steps.at(-1) ?? Number.NEGATIVE_INFINITY) >= step) {
      this.#steps.pop();
      this.#values.pop();
      this.#samples.pop();
    }
    if (!Number.isFinite(value)) return;
    if (samples === undefined) this.#samples = [];
    else if (this.#samples.length === this.#steps.length) this.#samples.push(samples);
    this.#steps.push(step);
    this.#values.push(value);
    if (this.#steps.length > MAX_POINTS) this.#keep(thinned(this.#steps, this.#values, MAX_POINTS / 2));
  }

  /** At most `limit` of its points. */
  points(limit: number): {
    readonly steps: number[];
    readonly values: number[];
    readonly samples: number[] | null;
  } {
    const positions = thinned(this.#steps, this.#values, limit);
    return {
      steps: pick(this.#steps, positions),
      values: pick(this.#values, positions),
      samples: this.#samples.length === 0 ? null : pick(this.#samples, positions),
    };
  }

  #keep(positions: readonly number[]): void {
    this.#steps = pick(this.#steps, positions);
    this.#values = pick(this.#values, positions);
    if (this.#samples.length > 0) this.#samples = pick(this.#samples, positions);
  }
}

function pick(numbers: readonly number[], positions: readonly number[]): number[] {
  return positions.map((at) => numbers[at] ?? 0);
}
