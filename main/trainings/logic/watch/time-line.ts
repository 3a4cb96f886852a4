import { thinned } from './thinning';

const MOST_POINTS = 4_096;
/** Of so many of the latest steps the usual time of one is taken. */
const RECENT = 50;

/** When an agent was at which step, in milliseconds of the machine's clock; bounded as a series is. */
export class TimeLine {
  #steps: number[] = [];
  #times: number[] = [];
  #gaps: number[] = [];

  /** Time of the earliest and of the newest step; null before there is one. */
  get span(): { readonly first: number; readonly last: number } | null {
    const [first, last] = [this.#times[0], this.#times.at(-1)];
    return first === undefined || last === undefined ? null : { first, last };
  }

  /** Milliseconds between the latest points, oldest first. */
  get gaps(): readonly number[] {
    return this.#gaps;
  }

  /** The same step again changes nothing; an earlier one drops what follows it (see `Series`). */
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
    if (this.#steps.length <= MOST_POINTS) return;
    const kept = thinned(this.#steps, this.#times, MOST_POINTS / 2);
    this.#steps = kept.map((at) => this.#steps[at] ?? 0);
    this.#times = kept.map((at) => this.#times[at] ?? 0);
  }

  /** Between two known steps in proportion, beyond them the nearest; NaN before there is one. */
  at(step: number): number {
    const above = firstFrom(this.#steps, step);
    const [time, before] = [this.#times[above], this.#times[above - 1]];
    if (time === undefined) return before ?? Number.NaN;
    if (before === undefined) return time;
    const [high = 0, low = 0] = [this.#steps[above], this.#steps[above - 1]];
    return before + ((time - before) * (step - low)) / (high - low);
  }

  /** The newest step that was done by then; null: none was. */
  stepBefore(ms: number): number | null {
    const at = this.#times.findLastIndex((time) => time <= ms);
    return this.#steps[at] ?? null;
  }
}

/** Position of the first number that is not below. */
function firstFrom(ascending: readonly number[], bound: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) < bound) from = middle + 1;
    else to = middle;
  }
  return from;
}
