/**
 * At most this many tasks at a time. The others wait in order of arrival; tasks of a batch and single ones take turns,
 * so that neither waits for all of the other.
 */
export class Slots {
  #free: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #waitingBatch: (() => void)[] = [];
  #lastWasBatch = false;

  constructor(capacity: number) {
    this.#free = capacity;
  }

  get queued(): number {
    return this.#waiting.length + this.#waitingBatch.length;
  }

  get running(): number {
    return this.#running;
  }

  /** null when `signal` was aborted before the task's turn came; the task then never starts. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal, isBatch = false): Promise<T | null> {
    if (signal.aborted || !(await this.#acquire(signal, isBatch ? this.#waitingBatch : this.#waiting)))
      return null;
    this.#running += 1;
    try {
      return await task();
    } finally {
      this.#running -= 1;
      const next = this.#next();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #next(): (() => void) | undefined {
    const isBatch = this.#waiting.length === 0 || (this.#waitingBatch.length > 0 && !this.#lastWasBatch);
    this.#lastWasBatch = isBatch;
    return (isBatch ? this.#waitingBatch : this.#waiting).shift();
  }

  #acquire(signal: AbortSignal, queue: (() => void)[]): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const leave = () => {
        queue.splice(queue.indexOf(enter), 1);
        resolve(false);
      };
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(enter);
    });
  }
}
