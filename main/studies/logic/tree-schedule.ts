/** A tree as its work is planned. */
export type PlannedTree = {
  /** Servers that its agents use; its requests are taken to be spread evenly over them. */
  readonly servers: readonly string[];
  /** Trials that are still to be made. */
  readonly trials: number;
  /** Trials that may be under way in it together. */
  readonly width: number;
};

/** A tree whose own trials, one after another, take this share of all the work that is left must not wait. */
const URGENT_SHARE = 0.9;

/**
 * Which tree goes first when several want a slot. The oldest, so that problems are finished one by one; but trials of
 * one tree follow on each other, so a tree left for the end would run there alone, with all other slots idle. So
 * once the trials that a tree still needs, one after another, take about as long as everything that is left with
 * all slots busy, it is urgent: urgent trees go first, the longest of them in front (Hu's rule for chains of equal
 * tasks, Operations Research 9(6), 1961).
 */
export class TreeSchedule {
  readonly #trees: readonly PlannedTree[];
  readonly #slots: ReadonlyMap<string, number>;
  readonly #left: number[];
  /** Trials still to come, by server. */
  readonly #load = new Map<string, number>();

  /** `trees` in the order in which they are to be started; `slots` by server. */
  constructor(trees: readonly PlannedTree[], slots: ReadonlyMap<string, number>) {
    this.#trees = trees;
    this.#slots = slots;
    this.#left = trees.map(() => 0);
    for (const [tree, { trials }] of trees.entries()) this.#add(tree, trials);
  }

  /** One trial of this tree is over. */
  trialDone(tree: number): void {
    if ((this.#left[tree] ?? 0) > 0) this.#add(tree, -1);
  }

  /** Nothing more will come of this tree. */
  ended(tree: number): void {
    this.#add(tree, -(this.#left[tree] ?? 0));
  }

  /** The smaller goes first; below 0: urgent. */
  rank(tree: number): number {
    const { width, servers } = this.#tree(tree);
    const chain = (this.#left[tree] ?? 0) / width;
    const rest = Math.max(
      ...servers.map((server) => (this.#load.get(server) ?? 0) / (this.#slots.get(server) ?? 1)),
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
