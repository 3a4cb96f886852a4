type Waiter = { readonly rank: () => number; readonly admit: () => void };

/**
 * A semaphore whose free slot goes to the waiter with the smallest rank at that moment (the earlier one of equals).
 * `onRelease` is called after every release.
 */
export class PrioritySemaphore {
  #limit: number;
  readonly #onRelease: () => void;
  readonly #waiting = new Set<Waiter>();
  #inFlight = 0;

  constructor(limit: number, onRelease: () => void = () => undefined) {
    this.#limit = limit;
    this.#onRelease = onRelease;
  }

  get limit(): number {
    return this.#limit;
  }

  /** A larger limit admits who waits at once; with a smaller one those who are in stay, and nobody follows until enough have left. */
  set limit(limit: number) {
    this.#limit = limit;
    while (this.#inFlight < limit && this.#waiting.size > 0) {
      this.#inFlight += 1;
      this.#admitNext();
    }
    this.#onRelease();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves to the function that releases the slot, to be called once; null when `signal` was aborted first. */
  async acquire(rank: () => number, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    if (this.#inFlight < this.#limit) this.#inFlight += 1;
    else if (!(await this.#wait(rank, signal))) return null;
    return () => this.#release();
  }

  #wait(rank: () => number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const entry: Waiter = {
        rank,
        admit: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(true);
        },
      };
      const giveUp = (): void => {
        this.#waiting.delete(entry);
        resolve(false);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(entry);
    });
  }

  /** Hands the slot straight to the next waiter, so that no newcomer takes it in between. */
  #release(): void {
    if (this.#inFlight > this.#limit || !this.#admitNext()) this.#inFlight -= 1;
    this.#onRelease();
  }

  #admitNext(): boolean {
    let first: Waiter | null = null;
    let firstRank = Number.POSITIVE_INFINITY;
    for (const entry of this.#waiting) {
      const rank = entry.rank();
      if (first !== null && rank >= firstRank) continue;
      first = entry;
      firstRank = rank;
    }
    if (first === null) return false;
    this.#waiting.delete(first);
    first.admit();
    return true;
  }
}
