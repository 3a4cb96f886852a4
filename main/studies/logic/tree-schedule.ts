/** The remaining work of a tree. */
export type PlannedTree = {
  /** Servers of its agents; its requests are assumed to be spread evenly over them. */
  readonly servers: readonly string[];
  /** Trials that are still to be made. */
  readonly trials: number;
  /** Trials that may run in it at once. */
  readonly width: number;
};

/** A tree is urgent when its own sequential trials take this share of all the work that is left. */
const URGENT_SHARE = 0.9;

/**
 * Decides which tree goes first when several wait for a slot. Usually the oldest, so that problems are finished one by
 * one. But the trials of one tree are sequential, so a tree left for the end would run alone with all other slots idle.
 * Therefore a tree is urgent once its sequential trials take about as long as everything that is left with all slots busy.
 * Urgent trees go first, the longest of them in front (Hu's rule for chains of equal tasks, Operations Research 9(6), 1961).
 */
export class TreeSchedule {
  readonly #trees: readonly PlannedTree[];
  readonly #slots: ReadonlyMap<string, { readonly limit: number }>;
  readonly #left: number[];
  /** Trials still to come, by server. */
  readonly #load = new Map<string, number>();

  /** `trees` in the order of starting; `slots` by server, whose limit may change. */
  constructor(trees: readonly PlannedTree[], slots: ReadonlyMap<string, { readonly limit: number }>) {
    this.#trees = trees;
    this.#slots = slots;
    this.#left = trees.map(() => 0);
    for (const [tree, { trials }] of trees.entries()) this.#add(tree, trials);
  }

  /** One trial of this tree has ended. */
  trialDone(tree: number): void {
    if ((this.#left[tree] ?? 0) > 0) this.#add(tree, -1);
  }

  /** This tree has no more trials. */
  ended(tree: number): void {
    this.#add(tree, -(this.#left[tree] ?? 0));
  }

  /** The smaller goes first; below 0: urgent. */
  rank(tree: number): number {
    const { width, servers } = this.#tree(tree);
    const chain = (this.#left[tree] ?? 0) / width;
    const rest = Math.max(
      ...servers.map((server) => (this.#load.get(server) ?? 0) / (this.#slots.get(server)?.limit ?? 1)),
    );
    return chain > 0 && chain >= URGENT_SHARE * rest ? -chain : tree;
  }

  #tree(tree: number): PlannedTree {
    const planned = this.#trees[tree];
    if (planned === undefined) throw new RangeError(`There is no tree ${tree}`);
    return planned;
  }

  #add(tree: number, trials: number): void {
    const { servers } = this.#tree(tree);
    this.#left[tree] = (this.#left[tree] ?? 0) + trials;
    for (const server of servers) {
      this.#load.set(server, (this.#load.get(server) ?? 0) + trials / servers.length);
    }
  }
}
