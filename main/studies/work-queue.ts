/**
 * Works on tasks as they are added, at most `width` at a time, the smallest waiting number first. Nothing new starts once
 * `signal` is aborted or a task has failed.
 */
export class WorkQueue {
  readonly #width: number;
  readonly #signal: { readonly aborted: boolean };
  readonly #work: (task: number) => Promise<void>;
  readonly #waiting = new Set<number>();
  #active = 0;
  #failure: { readonly error: unknown } | null = null;
  #onIdle: (() => void) | null = null;

  constructor(width: number, signal: { readonly aborted: boolean }, work: (task: number) => Promise<void>) {
    this.#width = width;
    this.#signal = signal;
    this.#work = work;
  }

  add(task: number): void {
    this.#waiting.add(task);
    this.#next();
  }

  /** To be called after the last `add`. Resolves when all is done or stopped; rejects with the first task's error. */
  async drain(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.#next();
    });
    if (this.#failure !== null) throw this.#failure.error;
  }

  #next(): void {
    while (!this.#isStopped() && this.#active < this.#width && this.#waiting.size > 0) {
      const task = Math.min(...this.#waiting);
      this.#waiting.delete(task);
      this.#active += 1;
      this.#work(task)
        .catch((error: unknown) => {
          this.#failure ??= { error };
        })
        .finally(() => {
          this.#active -= 1;
          this.#next();
        });
    }
    if (this.#active === 0 && (this.#isStopped() || this.#waiting.size === 0)) this.#onIdle?.();
  }

  #isStopped(): boolean {
    return this.#signal.aborted || this.#failure !== null;
  }
}
