import { counted } from '../../base/index';
/** When a server that died is restarted: after growing pauses, and a limited number of times. */
export class RestartBackoff {
  readonly #waitsMs: readonly number[];
  readonly #steadyMs: number;
  #count = 0;
  #readySinceMs = 0;

  /** As many restarts in a row as there are pauses; a server that was ready for `steadyMs` begins with the first pause. */
  constructor(waitsMs: readonly number[], steadyMs: number) {
    this.#waitsMs = waitsMs;
    this.#steadyMs = steadyMs;
  }

  ready(nowMs: number): void {
    this.#readySinceMs = nowMs;
  }

  crashed(nowMs: number): void {
    if (nowMs - this.#readySinceMs >= this.#steadyMs) this.#count = 0;
  }

  reset(): void {
    this.#count = 0;
  }

  /** The next pause, null when there are no more, and the hint to show with it. */
  next(): { readonly waitMs: number | null; readonly hint: string } {
    const waitMs = this.#waitsMs[this.#count] ?? null;
    if (waitMs === null) {
      const hint = `It was restarted ${counted(this.#count, 'time')} and failed each time. Check its log, then start it again.`;
      return { waitMs, hint };
    }
    this.#count += 1;
    return {
      waitMs,
      hint: `Restarts in ${waitMs / 1000} s (${this.#count} of ${this.#waitsMs.length}).`,
    };
  }
}
