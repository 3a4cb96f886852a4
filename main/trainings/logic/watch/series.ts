import { Trend } from './trend';

/**
 * Positions of the points kept when a curve has more than `limit`: the first, the last, and the lowest and highest of
 * each of equally wide ranges of steps. No peak is lost, and a curve thinned repeatedly stays equally dense. Steps ascend,
 * values are finite. At most `limit` positions, but at least 4 if there are as many.
 */
export function thinned(
  steps: readonly number[],
  values: readonly number[],
  limit: number,
): readonly number[] {
  const count = steps.length;
  const all = (): readonly number[] => steps.map((_, at) => at);
  if (count <= Math.max(4, limit)) return all();
  const [first = 0, last = 0] = [steps[0], steps[count - 1]];
  const ranges = Math.max(1, Math.floor((limit - 2) / 2));
  const width = (last - first) / ranges;
  const indices: number[] = [0];
  let at = 1;
  for (let range = 0; range < ranges && at < count - 1; range++) {
    const end = range === ranges - 1 ? Number.POSITIVE_INFINITY : first + (range + 1) * width;
    let [lowest, highest] = [-1, -1];
    for (; at < count - 1 && (steps[at] ?? 0) < end; at++) {
      const value = values[at] ?? 0;
      if (lowest === -1 || value < (values[lowest] ?? 0)) lowest = at;
      if (highest === -1 || value > (values[highest] ?? 0)) highest = at;
    }
    if (lowest === -1) continue;
    indices.push(Math.min(lowest, highest));
    if (lowest !== highest) indices.push(Math.max(lowest, highest));
  }
  indices.push(count - 1);
  return indices;
}

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
