/** Keeps the entries that were used last, at most `capacity` of them. */
export class RecentMap<K, V> {
  readonly #capacity: number;
  /** Least recently used first. */
  readonly #entries = new Map<K, V>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  keys(): K[] {
    return [...this.#entries.keys()];
  }

  /** Counts as a use. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (this.#entries.delete(key)) this.#entries.set(key, value as V);
    return value;
  }

  /** Answers the entries that are dropped for it. */
  set(key: K, value: V): V[] {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const surplus = [...this.#entries].slice(0, -this.#capacity);
    for (const [oldest] of surplus) this.#entries.delete(oldest);
    return surplus.map(([, dropped]) => dropped);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
