import type { TreeSchedule } from './logic/tree-schedule';
import type { PrioritySemaphore } from './priority-semaphore';

/** Requests to have per slot, so that one is waiting whenever another ends. */
const REQUESTS_PER_SLOT = 1.25;
/** Where public tests take longer than answers, more open trees would only wait for the sandbox. */
const MAX_OPEN_PER_SLOT = 4;
const MIN_OPEN_LIMIT = 8;

/**
 * Opens trees in their order: just as many as keep every slot busy, urgent ones at once. A tree counts as a request from
 * its opening to its first request, and then whenever it has or waits for a slot.
 */
export class TreePool {
  readonly #servers: ReadonlyArray<readonly string[]>;
  readonly #slots: ReadonlyMap<string, PrioritySemaphore>;
  readonly #schedule: TreeSchedule;
  readonly #search: (tree: number) => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #expected = new Map<string, number>();
  readonly #beforeFirstRequest = new Set<number>();
  /** Trees not opened yet, by server. */
  readonly #unopened = new Map<string, number>();
  #next = 0;
  #open = 0;
  #failure: { readonly error: unknown } | null = null;
  #onIdle: (() => void) | null = null;

  /** `servers`: of each tree, in the order of opening. `search` does all the work of one tree. */
  constructor(parts: {
    readonly servers: ReadonlyArray<readonly string[]>;
    readonly slots: ReadonlyMap<string, PrioritySemaphore>;
    readonly schedule: TreeSchedule;
    readonly search: (tree: number) => Promise<void>;
    readonly signal: AbortSignal;
  }) {
    this.#servers = parts.servers;
    this.#slots = parts.slots;
    this.#schedule = parts.schedule;
    this.#search = parts.search;
    this.#signal = parts.signal;
    for (const server of parts.servers.flat())
      this.#unopened.set(server, (this.#unopened.get(server) ?? 0) + 1);
  }

  /** Trees that are open now. */
  get open(): number {
    return this.#open;
  }

  /** Resolves when all trees are done, or when the signal is aborted and the open ones have ended; rejects with the first error. */
  async run(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.pump();
    });
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** To be called when a tree's first request waits for its slot; later calls do nothing. */
  firstRequestQueued(tree: number): void {
    if (!this.#beforeFirstRequest.delete(tree)) return;
    for (const server of this.#servers[tree] ?? [])
      this.#count(this.#expected, server, -1 / this.#shares(tree));
  }

  /** To be called whenever a slot was released. */
  pump(): void {
    while (!this.#isStopped() && this.#next < this.#servers.length && this.#needsAnother())
      this.#openTree(this.#next++);
    if (this.#open === 0 && (this.#isStopped() || this.#next === this.#servers.length)) this.#onIdle?.();
  }

  #openTree(tree: number): void {
    this.#open += 1;
    this.#beforeFirstRequest.add(tree);
    for (const server of this.#servers[tree] ?? []) {
      this.#count(this.#expected, server, 1 / this.#shares(tree));
      this.#count(this.#unopened, server, -1);
    }
    this.#search(tree)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.firstRequestQueued(tree);
        this.#schedule.ended(tree);
        this.#open -= 1;
        this.pump();
      });
  }

  #isStopped(): boolean {
    return this.#signal.aborted || this.#failure !== null;
  }

  #needsAnother(): boolean {
    if (this.#schedule.rank(this.#next) < 0) return true;
    const total = [...this.#slots.values()].reduce((sum, { limit }) => sum + limit, 0);
    if (this.#open >= Math.max(MIN_OPEN_LIMIT, MAX_OPEN_PER_SLOT * total)) return false;
    for (const [server, slots] of this.#slots) {
      if ((this.#unopened.get(server) ?? 0) === 0) continue;
      const requests = slots.inFlight + slots.waiting + (this.#expected.get(server) ?? 0);
      if (requests < slots.limit * REQUESTS_PER_SLOT) return true;
    }
    return false;
  }

  #shares(tree: number): number {
    return Math.max(1, this.#servers[tree]?.length ?? 1);
  }

  #count(counts: Map<string, number>, server: string, change: number): void {
    counts.set(server, (counts.get(server) ?? 0) + change);
  }
}
