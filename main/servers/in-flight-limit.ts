import { failed, ok, type Result } from '../base';

/**
 * At most so many at once, first come first served. Callers that ask again only after their answer (as trees do)
 * share the slots evenly: nobody's second request overtakes another's first.
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

  /** Waits for a slot; the value gives it back and must be called once. Aborting leaves the queue. */
  async enter(signal: AbortSignal): Promise<Result<() => void, 'aborted'>> {
    if (signal.aborted) return failed('aborted');
    if (this.#inFlight < this.#limit) {
      this.#inFlight += 1;
      return ok(() => this.#leave());
    }
    return (await this.#turn(signal)) ? ok(() => this.#leave()) : failed('aborted');
  }

  /** True when the slot of one that left was handed over; false when aborted. */
  async #turn(signal: AbortSignal): Promise<boolean> {
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

  /** The slot goes straight to the next in line, so that no newcomer slips in between. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#inFlight -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
