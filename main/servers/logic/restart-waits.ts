/** How often and how late a server that dies is started again: with growing pauses, and not for ever. */
export class RestartWaits {
  readonly #waitsMs: readonly number[];
  readonly #steadyMs: number;
  #count = 0;
  #readySinceMs = 0;

  /** As many restarts in a row as there are pauses; one that was ready for `steadyMs` begins with the first again. */
  constructor(waitsMs: readonly number[], steadyMs: number) {
    this.#waitsMs = waitsMs;
    this.#steadyMs = steadyMs;
  }

  ready(nowMs: number): void {
    this.#readySinceMs = nowMs;
  }

  fell(nowMs: number): void {
    if (nowMs - this.#readySinceMs >= this.#steadyMs) this.#count = 0;
  }

  forget(): void {
    this.#count = 0;
  }

  /** The next pause and what is said meanwhile; null: no more, and what is said then. */
  next(): { readonly waitMs: number | null; readonly hint: string } {
    const waitMs = this.#waitsMs[this.#count] ?? null;
    if (waitMs === null) {
      const hint = `It was started again ${this.#count} times in vain. Look at its log, then start it anew.`;
      return { waitMs, hint };
    }
    this.#count += 1;
    return {
      waitMs,
      hint: `Starts again in ${waitMs / 1000} s (${this.#count} of ${this.#waitsMs.length}).`,
    };
  }
}
