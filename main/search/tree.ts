/** Index of the root, which holds no program; the first attempts are its children. */
export const ROOT = -1;

const NO_CHILDREN: readonly number[] = [];

/**
 * The shape of a search tree. Nodes are numbered 0, 1, 2 ... in the order of recording; a parent is always older
 * than its children, so that walks need no recursion however deep the tree is.
 */
export class SearchTree {
  readonly #parents: number[] = [];
  readonly #agents: number[] = [];
  readonly #depths: number[] = [];
  /** At [node + 1], so that the root has a place; a leaf has no entry. */
  readonly #children: (number[] | undefined)[] = [];
  /** At [depth]; the root's level holds no node. */
  readonly #nodesAtDepth: number[] = [0];

  /** Nodes without the root. */
  get size(): number {
    return this.#parents.length;
  }

  /** Edges from the root to the deepest node; 0 for an empty tree. */
  get depth(): number {
    return this.#nodesAtDepth.length - 1;
  }

  /** Adds a node written by the agent with this position in the team; gives its index. */
  add(parent: number, agent: number): number {
    if (parent < ROOT || parent >= this.size) throw new RangeError(`The tree has no node ${parent}`);
    const depth = this.depthOf(parent) + 1;
    this.#agents.push(agent);
    this.#depths.push(depth);
    this.#nodesAtDepth[depth] = this.nodesAtDepth(depth) + 1;
    const node = this.#parents.push(parent) - 1;
    const siblings = this.#children[parent + 1];
    if (siblings === undefined) this.#children[parent + 1] = [node];
    else siblings.push(node);
    return node;
  }

  /** In the order of recording. */
  childrenOf(node: number): readonly number[] {
    return this.#children[node + 1] ?? NO_CHILDREN;
  }

  /** `ROOT` for a first attempt. */
  parentOf(node: number): number {
    const parent = this.#parents[node];
    if (parent === undefined) throw new RangeError(`The tree has no node ${node}`);
    return parent;
  }

  agentOf(node: number): number {
    const agent = this.#agents[node];
    if (agent === undefined) throw new RangeError(`The tree has no node ${node}`);
    return agent;
  }

  /** Edges to the root; 0 for the root itself. */
  depthOf(node: number): number {
    if (node === ROOT) return 0;
    const depth = this.#depths[node];
    if (depth === undefined) throw new RangeError(`The tree has no node ${node}`);
    return depth;
  }

  /** Nodes recorded at this depth; the root is none. */
  nodesAtDepth(depth: number): number {
    return this.#nodesAtDepth[depth] ?? 0;
  }
}
