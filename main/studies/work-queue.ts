/**
 * Does tasks as they come in, at most `width` at a time, the smallest number of those that wait first; nothing new
 * starts once `signal` says stop. `work` does not reject.
 */
export class WorkQueue {
  readonly #width: number;
  readonly #signal: { readonly aborted: boolean };
  readonly #work: (task: number) => Promise<void>;
  readonly #waiting = new Set<number>();
  #underWay = 0;
  #done: (() => void) | null = null;

  constructor(width: number, signal: { readonly aborted: boolean }, work: (task: number) => Promise<void>) {
    this.#width = width;
    this.#signal = signal;
    this.#work = work;
  }

  add(task: number): void {
    this.#waiting.add(task);
    this.#next();
  }

  /** No more tasks come. Resolves when all are done, or work has stopped. */
  finish(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#next();
    });
  }

  #next(): void {
    while (!this.#signal.aborted && this.#underWay < this.#width && this.#waiting.size > 0) {
      const task = Math.min(...this.#waiting);
      this.#waiting.delete(task);
      this.#underWay += 1;
      void this.#work(task).finally(() => {
        this.#underWay -= 1;
        this.#next();
      });
    }
    if (this.#underWay === 0 && (this.#signal.aborted || this.#waiting.size === 0)) this.#done?.();
  }
}
