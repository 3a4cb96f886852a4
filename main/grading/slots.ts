/** At most this many tasks at a time; the others wait in order of arrival. */
export class Slots {
  #free: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  get queued(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running;
  }

  /** null when `signal` was aborted before the task's turn came; the task then never starts. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
    if (signal.aborted || !(await this.#acquire(signal))) return null;
    this.#running += 1;
    try {
      return await task();
    } finally {
      this.#running -= 1;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #acquire(signal: AbortSignal): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve(false);
      };
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}
