import { failed, ok, type Result } from '../base';

/**
 * Limits requests in flight, first come first served. Callers that send the next request only after an answer (as tree
 * searches do) share the slots evenly: no second request overtakes another caller's first.
 */
export class InFlightLimit {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  #inFlight = 0;

  constructor(limit: number) {
    if (!Number.isInteger(limit) || limit < 1)
      throw new RangeError(`A limit is a whole number from 1, not ${limit}`);
    this.#limit = limit;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Waits for a slot; the value releases it and must be called once. Aborting leaves the queue. */
  async enter(signal: AbortSignal): Promise<Result<() => void, 'aborted'>> {
    if (signal.aborted) return failed('aborted');
    if (this.#inFlight < this.#limit) {
      this.#inFlight += 1;
      return ok(() => this.#release());
    }
    return (await this.#waitForSlot(signal)) ? ok(() => this.#release()) : failed('aborted');
  }

  /** True when a released slot was handed over; false when aborted. */
  async #waitForSlot(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const admit = () => {
        signal.removeEventListener('abort', abort);
        resolve(true);
      };
      const abort = () => {
        this.#waiting.delete(admit);
        resolve(false);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(admit);
    });
  }

  /** Hands the slot directly to the next in line, so that no newcomer takes it. */
  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#inFlight -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
