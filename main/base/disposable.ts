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
