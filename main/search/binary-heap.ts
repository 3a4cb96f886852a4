/** A heap whose `pop` returns the item that orders before all others; `before` must order items strictly. */
export class BinaryHeap<T> {
  readonly #before: (a: T, b: T) => boolean;
  readonly #items: T[] = [];

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  push(item: T): void {
    let index = this.#items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const other = this.#items[parent] as T;
      if (!this.#before(item, other)) break;
      this.#items[index] = other;
      index = parent;
    }
    this.#items[index] = item;
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return first;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= this.#items.length) break;
      const right = left + 1;
      const isRight =
        right < this.#items.length && this.#before(this.#items[right] as T, this.#items[left] as T);
      const next = isRight ? right : left;
      if (!this.#before(this.#items[next] as T, last)) break;
      this.#items[index] = this.#items[next] as T;
      index = next;
    }
    this.#items[index] = last;
    return first;
  }
}
