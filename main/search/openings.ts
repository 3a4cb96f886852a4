import { ROOT, type SearchTree } from './tree';

/**
 * Where something can still be asked: which agents are there, which of them are closed below which node, and in
 * which subtrees a place is left. Costs nothing until something is closed.
 */
export class Openings {
  readonly #tree: SearchTree;
  readonly #agentCount: number;
  #active: readonly number[];
  readonly #closed = new Map<number, Set<number>>();
  /** At [node + 1], kept from the first closing on: whether the subtree has a place left. */
  #enterable: boolean[] = [];
  /** At [node + 1], likewise: children that can be entered. */
  #ways: number[] = [];

  constructor(agentCount: number, tree: SearchTree) {
    if (agentCount < 1) throw new RangeError('A search needs an agent');
    this.#agentCount = agentCount;
    this.#tree = tree;
    this.#active = Array.from({ length: agentCount }, (_, agent) => agent);
  }

  /** Agents that are not retired, in the team's order. */
  get active(): readonly number[] {
    return this.#active;
  }

  /** Agents that may write below this node, in the team's order. */
  at(node: number): readonly number[] {
    const closed = this.#closed.get(node);
    return closed === undefined ? this.#active : this.#active.filter((agent) => !closed.has(agent));
  }

  /** Whether an agent may write below this node or below one of its descendants. */
  canEnter(node: number): boolean {
    if (this.#closed.size === 0) return this.#active.length > 0;
    return this.#enterable[node + 1] ?? this.#active.length > 0;
  }

  /** The children with a place left, in the order of recording. */
  childrenToEnter(node: number): readonly number[] {
    const children = this.#tree.childrenOf(node);
    if (this.#closed.size === 0) return this.#active.length > 0 ? children : [];
    if (this.#ways[node + 1] === children.length) return children;
    return children.filter((child) => this.canEnter(child));
  }

  /** To be called for every new node. */
  added(node: number): void {
    if (this.#closed.size === 0) return;
    this.#enterable[node + 1] = false;
    this.#ways[node + 1] = 0;
    this.#refresh(node);
  }

  close(node: number, agent: number): void {
    const first = this.#closed.size === 0;
    const closed = this.#closed.get(node);
    if (closed === undefined) this.#closed.set(node, new Set([agent]));
    else closed.add(agent);
    if (first) this.#recount();
    else this.#refresh(node);
  }

  retire(agent: number): void {
    this.#active = this.#active.filter((other) => other !== agent);
    this.#recount();
  }

  /** The agent may be asked again, but for the nodes below which it was closed. */
  revive(agent: number): void {
    if (this.#active.includes(agent) || agent < 0 || agent >= this.#agentCount) return;
    this.#active = [...this.#active, agent].sort((a, b) => a - b);
    this.#recount();
  }

  /** Goes up as long as something changes. */
  #refresh(from: number): void {
    for (let node = from; ; node = this.#tree.parentOf(node)) {
      const enterable = (this.#ways[node + 1] as number) > 0 || this.at(node).length > 0;
      if (enterable === this.#enterable[node + 1]) return;
      this.#enterable[node + 1] = enterable;
      if (node === ROOT) return;
      const above = this.#tree.parentOf(node) + 1;
      this.#ways[above] = (this.#ways[above] as number) + (enterable ? 1 : -1);
    }
  }

  #recount(): void {
    if (this.#closed.size === 0) return;
    const places = this.#tree.size + 1;
    this.#ways = Array.from({ length: places }, () => 0);
    this.#enterable = Array.from({ length: places }, () => false);
    // Children are younger than their parents: from the youngest on, every child is counted before its parent.
    for (let node = this.#tree.size - 1; node >= ROOT; node--) {
      const enterable = (this.#ways[node + 1] as number) > 0 || this.at(node).length > 0;
      this.#enterable[node + 1] = enterable;
      if (node === ROOT || !enterable) continue;
      const above = this.#tree.parentOf(node) + 1;
      this.#ways[above] = (this.#ways[above] as number) + 1;
    }
  }
}
