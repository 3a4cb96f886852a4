/** Duration of the animation when rows move and nodes appear, milliseconds. */
export const SETTLE_MS = 160;

/**
 * Animates rows from their current to their new positions. Times are milliseconds of any one clock. New slots start at
 * their position.
 */
export class RowMotion {
  readonly #from: Float32Array;
  readonly #target: Int32Array;
  readonly #start: number;
  readonly #rows: Float32Array;
  readonly #slack: number;
  #share: number;
  /** Slots from here on are new. */
  readonly newFrom: number;

  private constructor(from: Float32Array, target: Int32Array, newFrom: number, start: number, share: number) {
    this.#from = from;
    this.#target = target;
    this.#start = start;
    this.#share = share;
    this.#rows = from.slice();
    this.newFrom = newFrom;
    let slack = 0;
    for (let slot = 0; slot < target.length; slot++) {
      slack = Math.max(slack, Math.abs((target[slot] as number) - (from[slot] as number)));
    }
    this.#slack = slack;
  }

  /** Rows at rest. */
  static resting(target: Int32Array): RowMotion {
    return new RowMotion(Float32Array.from(target), target, target.length, 0, 1);
  }

  /** Rows that start moving at `now` from where they are `shown`. */
  static from(shown: Float32Array, target: Int32Array, now: number): RowMotion {
    const from = Float32Array.from(target);
    from.set(shown.subarray(0, target.length));
    return new RowMotion(from, target, shown.length, now, 0);
  }

  get rows(): Float32Array {
    return this.#rows;
  }

  /** Largest distance of any row from its target, in rows. */
  get slack(): number {
    return this.settled ? 0 : this.#slack;
  }

  get settled(): boolean {
    return this.#share === 1;
  }

  /** Share of the way in time, 0 to 1. */
  get share(): number {
    return this.#share;
  }

  /** Moves the rows to their positions at `now`, with ease-out. */
  advance(now: number): void {
    if (this.settled) return;
    this.#share = Math.min(1, (now - this.#start) / SETTLE_MS);
    const eased = 1 - (1 - this.#share) ** 3;
    for (let slot = 0; slot < this.#target.length; slot++) {
      const from = this.#from[slot] as number;
      this.#rows[slot] = from + ((this.#target[slot] as number) - from) * eased;
    }
  }
}
