/**
 * At most this many tasks at a time. The others wait in order of arrival; patient ones and those that are not take turns,
 * so that neither waits for all of the other.
 */
export class Slots {
  #free: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #patient: (() => void)[] = [];
  #lastWasPatient = false;

  constructor(most: number) {
    this.#free = most;
  }

  get queued(): number {
    return this.#waiting.length + this.#patient.length;
  }

  get running(): number {
    return this.#running;
  }

  /** null when `signal` was aborted before the task's turn came; the task then never starts. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal, isPatient = false): Promise<T | null> {
    if (signal.aborted || !(await this.#acquire(signal, isPatient ? this.#patient : this.#waiting)))
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
    const isPatient = this.#waiting.length === 0 || (this.#patient.length > 0 && !this.#lastWasPatient);
    this.#lastWasPatient = isPatient;
    return (isPatient ? this.#patient : this.#waiting).shift();
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
