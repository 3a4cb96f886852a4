/**
 * UTF-16 units on their way to a reader at which the source pauses, and below which it resumes. Some screens
 * of output: large enough to keep a fast reader busy between two acknowledgements, small enough that a
 * keystroke (Ctrl-C) shows its effect at once.
 */
export const HIGH_WATER = 256_000;
export const LOW_WATER = 32_000;

/** Decides when a source must wait for its reader. */
export class FlowControl {
  #unacknowledged = 0;
  #isPaused = false;

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Counts units passed on. True: pause the source now. */
  sent(units: number): boolean {
    this.#unacknowledged += units;
    if (this.#isPaused || this.#unacknowledged <= HIGH_WATER) return false;
    this.#isPaused = true;
    return true;
  }

  /** Counts units that the reader has processed (at most all). True: resume the source now. */
  acknowledged(units: number): boolean {
    this.#unacknowledged = Math.max(0, this.#unacknowledged - units);
    if (!this.#isPaused || this.#unacknowledged >= LOW_WATER) return false;
    this.#isPaused = false;
    return true;
  }
}
