/** Something open that its owner must end. */
export type Disposable = { readonly dispose: () => void };

/** Gathers disposables and ends them in reverse order; safe to dispose twice. */
export class DisposableStore implements Disposable {
  #items: Disposable[] = [];

  add<T extends Disposable>(item: T): T {
    this.#items.push(item);
    return item;
  }

  dispose(): void {
    const items = this.#items;
    this.#items = [];
    for (const item of items.reverse()) item.dispose();
  }
}

/** One typed event source. If a listener throws, the others are still called. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  on(listener: (value: T) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  emit(value: T): void {
    const errors: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'A listener failed');
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }
}
