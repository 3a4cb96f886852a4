import { thinned } from './series';

const MAX_POINTS = 4_096;
/** Number of recent steps from which the usual time of a step is computed. */
const RECENT = 50;

/** When an agent reached each step, in milliseconds of the machine's clock; bounded like a series. */
export class TimeLine {
  #steps: number[] = [];
  #times: number[] = [];
  #gaps: number[] = [];

  /** Times of the first and the last step; null: there is none yet. */
  get span(): { readonly first: number; readonly last: number } | null {
    const [first, last] = [this.#times[0], this.#times.at(-1)];
    return first === undefined || last === undefined ? null : { first, last };
  }

  /** Milliseconds between recent points, oldest first. */
  get gaps(): readonly number[] {
    return this.#gaps;
  }

  /** A repeated step changes nothing; an earlier one drops later points (see `Series`). */
  add(step: number, ms: number): void {
    if (!Number.isFinite(ms)) return;
    const newest = this.#steps.at(-1);
    if (newest === step) return;
    const last = this.#times.at(-1);
    while ((this.#steps.at(-1) ?? Number.NEGATIVE_INFINITY) >= step) {
      this.#steps.pop();
      this.#times.pop();
    }
    if (newest !== undefined && step > newest && last !== undefined) {
      this.#gaps.push(Math.max(0, ms - last));
      if (this.#gaps.length > RECENT) this.#gaps.shift();
    }
    this.#steps.push(step);
    this.#times.push(ms);
    if (this.#steps.length <= MAX_POINTS) return;
    const points = thinned(this.#steps, this.#times, MAX_POINTS / 2);
    this.#steps = points.map((at) => this.#steps[at] ?? 0);
    this.#times = points.map((at) => this.#times[at] ?? 0);
  }

  /** Interpolated between known steps, the nearest one beyond them; NaN if there is none. */
  at(step: number): number {
    const above = firstFrom(this.#steps, step);
    const [time, before] = [this.#times[above], this.#times[above - 1]];
    if (time === undefined) return before ?? Number.NaN;
    if (before === undefined) return time;
    const [high = 0, low = 0] = [this.#steps[above], this.#steps[above - 1]];
    return before + ((time - before) * (step - low)) / (high - low);
  }

  /** The inverse of `at`: the step reached by then, with its fraction; null: before the first or after the last. */
  stepAt(ms: number): number | null {
    const above = firstFrom(this.#times, ms);
    const [high, time] = [this.#steps[above], this.#times[above]];
    if (high === undefined || time === undefined) return null;
    if (time === ms) return high;
    const [low, before] = [this.#steps[above - 1], this.#times[above - 1]];
    if (low === undefined || before === undefined) return null;
    return low + ((high - low) * (ms - before)) / (time - before);
  }

  /** The last step reached by then; null: none. */
  stepBefore(ms: number): number | null {
    const at = this.#times.findLastIndex((time) => time <= ms);
    return this.#steps[at] ?? null;
  }
}

/** Position of the first number that is at least `bound`. */
function firstFrom(ascending: readonly number[], bound: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) < bound) from = middle + 1;
    else to = middle;
  }
  return from;
}
