/** A heap that gives the item that comes before all others; `before` must order items strictly. */
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
    let place = this.#items.push(item) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = this.#items[above] as T;
      if (!this.#before(item, other)) break;
      this.#items[place] = other;
      place = above;
    }
    this.#items[place] = item;
  }

  pop(): T | undefined {
    const first = this.#items[0];
    const last = this.#items.pop();
    if (last === undefined || this.#items.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#items.length) break;
      const right = left + 1;
      const isRight =
        right < this.#items.length && this.#before(this.#items[right] as T, this.#items[left] as T);
      const next = isRight ? right : left;
      if (!this.#before(this.#items[next] as T, last)) break;
      this.#items[place] = this.#items[next] as T;
      place = next;
    }
    this.#items[place] = last;
    return first;
  }
}
