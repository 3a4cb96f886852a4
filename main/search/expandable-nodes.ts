import { ROOT, type SearchTree } from './tree';

/**
 * Which agents can still expand which nodes: agents can be retired, and a node can be closed to an agent. Costs nothing
 * until the first node is closed.
 */
export class ExpandableNodes {
  readonly #tree: SearchTree;
  readonly #agentCount: number;
  #active: readonly number[];
  readonly #closed = new Map<number, Set<number>>();
  /** At [node + 1], from the first closing on: whether some node of the subtree can be expanded. */
  #subtreeExpandable: boolean[] = [];
  /** At [node + 1], likewise: number of children whose subtree can be expanded. */
  #expandableChildCounts: number[] = [];

  constructor(agentCount: number, tree: SearchTree) {
    if (agentCount < 1) throw new RangeError('A search needs an agent');
    this.#agentCount = agentCount;
    this.#tree = tree;
    this.#active = Array.from({ length: agentCount }, (_, agent) => agent);
  }

  /** Agents that are not retired, in the team's order. */
  get activeAgents(): readonly number[] {
    return this.#active;
  }

  /** Agents that can expand this node, in the team's order. */
  agentsAt(node: number): readonly number[] {
    const closed = this.#closed.get(node);
    return closed === undefined ? this.#active : this.#active.filter((agent) => !closed.has(agent));
  }

  /** Whether some agent can expand this node or one of its descendants. */
  canExpand(node: number): boolean {
    if (this.#closed.size === 0) return this.#active.length > 0;
    return this.#subtreeExpandable[node + 1] ?? this.#active.length > 0;
  }

  /** Children for which `canExpand` holds, in the order of recording. */
  expandableChildren(node: number): readonly number[] {
    const children = this.#tree.childrenOf(node);
    if (this.#closed.size === 0) return this.#active.length > 0 ? children : [];
    if (this.#expandableChildCounts[node + 1] === children.length) return children;
    return children.filter((child) => this.canExpand(child));
  }

  /** Call for every new node. */
  nodeAdded(node: number): void {
    if (this.#closed.size === 0) return;
    this.#subtreeExpandable[node + 1] = false;
    this.#expandableChildCounts[node + 1] = 0;
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

  /** The agent can be asked again, except at nodes that were closed to it. */
  revive(agent: number): void {
    if (this.#active.includes(agent) || agent < 0 || agent >= this.#agentCount) return;
    this.#active = [...this.#active, agent].sort((a, b) => a - b);
    this.#recount();
  }

  /** Updates ancestors as long as something changes. */
  #refresh(from: number): void {
    for (let node = from; ; node = this.#tree.parentOf(node)) {
      const enterable =
        (this.#expandableChildCounts[node + 1] as number) > 0 || this.agentsAt(node).length > 0;
      if (enterable === this.#subtreeExpandable[node + 1]) return;
      this.#subtreeExpandable[node + 1] = enterable;
      if (node === ROOT) return;
      const parent = this.#tree.parentOf(node) + 1;
      this.#expandableChildCounts[parent] =
        (this.#expandableChildCounts[parent] as number) + (enterable ? 1 : -1);
    }
  }

  #recount(): void {
    if (this.#closed.size === 0) return;
    const size = this.#tree.size + 1;
    this.#expandableChildCounts = Array.from({ length: size }, () => 0);
    this.#subtreeExpandable = Array.from({ length: size }, () => false);
    // Children are younger than their parents: from the youngest on, every child is counted before its parent.
    for (let node = this.#tree.size - 1; node >= ROOT; node--) {
      const enterable =
        (this.#expandableChildCounts[node + 1] as number) > 0 || this.agentsAt(node).length > 0;
      this.#subtreeExpandable[node + 1] = enterable;
      if (node === ROOT || !enterable) continue;
      const parent = this.#tree.parentOf(node) + 1;
      this.#expandableChildCounts[parent] = (this.#expandableChildCounts[parent] as number) + 1;
    }
  }
}
