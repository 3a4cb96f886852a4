type Waiting = { readonly rank: () => number; readonly admit: () => void };

/**
 * The slots of one server. A slot that becomes free goes to the waiting request with the smallest rank at that moment
 * (the earlier of equals); `onRoom` hears of every one that was given back.
 */
export class SlotGate {
  readonly limit: number;
  readonly #onRoom: () => void;
  readonly #waiting = new Set<Waiting>();
  #inFlight = 0;

  constructor(limit: number, onRoom: () => void = () => undefined) {
    this.limit = limit;
    this.#onRoom = onRoom;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves to what gives the slot back, to be called once; null when `signal` was aborted first. */
  async enter(rank: () => number, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    if (this.#inFlight < this.limit) this.#inFlight += 1;
    else if (!(await this.#turn(rank, signal))) return null;
    return () => this.#leave();
  }

  #turn(rank: () => number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const entry: Waiting = {
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

  /** The slot goes straight to the next, so that no newcomer slips in between. */
  #leave(): void {
    let first: Waiting | null = null;
    let firstRank = Number.POSITIVE_INFINITY;
    for (const entry of this.#waiting) {
      const rank = entry.rank();
      if (first !== null && rank >= firstRank) continue;
      first = entry;
      firstRank = rank;
    }
    if (first === null) this.#inFlight -= 1;
    else {
      this.#waiting.delete(first);
      first.admit();
    }
    this.#onRoom();
  }
}
