import type { TreeSchedule } from './logic/tree-schedule';
import type { SlotGate } from './slot-gate';

/** Requests wanted per slot, so that one is waiting whenever another ends. */
const WANTED_PER_SLOT = 1.25;
/**
 * Trees that may be open per slot: where public tests take longer than answers, more open trees would only wait for
 * the sandbox.
 */
const MOST_OPEN_PER_SLOT = 4;
const FEWEST_OPEN = 8;

/**
 * Opens trees in their order: as many as keep every slot wanted, no more, but urgent ones at once. A tree counts as
 * wanting from its opening to its first request, and then whenever it has or awaits a slot.
 */
export class OpenTrees {
  readonly #servers: ReadonlyArray<readonly string[]>;
  readonly #gates: ReadonlyMap<string, SlotGate>;
  readonly #schedule: TreeSchedule;
  readonly #search: (tree: number) => Promise<void>;
  readonly #signal: AbortSignal;
  readonly #coming = new Map<string, number>();
  readonly #unheard = new Set<number>();
  /** Trees not opened yet, by server. */
  readonly #unopened = new Map<string, number>();
  readonly #most: number;
  #next = 0;
  #open = 0;
  #done: (() => void) | null = null;

  /** `servers`: of each tree, in the order of opening. `search` does the whole of a tree and does not reject. */
  constructor(parts: {
    readonly servers: ReadonlyArray<readonly string[]>;
    readonly gates: ReadonlyMap<string, SlotGate>;
    readonly schedule: TreeSchedule;
    readonly search: (tree: number) => Promise<void>;
    readonly signal: AbortSignal;
  }) {
    this.#servers = parts.servers;
    this.#gates = parts.gates;
    this.#schedule = parts.schedule;
    this.#search = parts.search;
    this.#signal = parts.signal;
    for (const server of parts.servers.flat())
      this.#unopened.set(server, (this.#unopened.get(server) ?? 0) + 1);
    const slots = [...parts.gates.values()].reduce((sum, { limit }) => sum + limit, 0);
    this.#most = Math.max(FEWEST_OPEN, MOST_OPEN_PER_SLOT * slots);
  }

  /** Trees that are open now. */
  get open(): number {
    return this.#open;
  }

  /** Resolves when all trees are done, or the signal says stop and those that are open have ended. */
  run(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve;
      this.pump();
    });
  }

  /** This tree's first request is at a gate. */
  heard(tree: number): void {
    if (!this.#unheard.delete(tree)) return;
    for (const server of this.#servers[tree] ?? [])
      this.#count(this.#coming, server, -1 / this.#shares(tree));
  }

  /** To be called whenever a slot was given back. */
  pump(): void {
    while (!this.#signal.aborted && this.#next < this.#servers.length && this.#wantsAnother())
      this.#begin(this.#next++);
    if (this.#open === 0 && (this.#signal.aborted || this.#next === this.#servers.length)) this.#done?.();
  }

  #begin(tree: number): void {
    this.#open += 1;
    this.#unheard.add(tree);
    for (const server of this.#servers[tree] ?? []) {
      this.#count(this.#coming, server, 1 / this.#shares(tree));
      this.#count(this.#unopened, server, -1);
    }
    void this.#search(tree).finally(() => {
      this.heard(tree);
      this.#schedule.ended(tree);
      this.#open -= 1;
      this.pump();
    });
  }

  #wantsAnother(): boolean {
    if (this.#schedule.rank(this.#next) < 0) return true;
    if (this.#open >= this.#most) return false;
    for (const [server, gate] of this.#gates) {
      if ((this.#unopened.get(server) ?? 0) === 0) continue;
      const wanting = gate.inFlight + gate.waiting + (this.#coming.get(server) ?? 0);
      if (wanting < gate.limit * WANTED_PER_SLOT) return true;
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
