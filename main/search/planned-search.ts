import { ExpandableNodes } from './expandable-nodes';
import { ExpansionQueue } from './expansion-queue';
import type { Expansion, SearchAlgorithm } from './search-algorithm';
import { ROOT, SearchTree } from './tree';

/** Base of the searches that plan several expansions at once and hand them out one by one. */
export abstract class PlannedSearch implements SearchAlgorithm {
  readonly tree = new SearchTree();
  protected readonly expandable: ExpandableNodes;
  readonly #queue: ExpansionQueue;

  constructor(agentCount: number) {
    this.expandable = new ExpandableNodes(agentCount, this.tree);
    this.#queue = new ExpansionQueue(agentCount);
  }

  /** The next expansions; called only while some node can be expanded. */
  protected abstract plan(): readonly Expansion[];

  /** Called for every new node, after it was added to the tree. */
  protected abstract nodeRecorded(node: number, parent: number, score: number): void;

  selectExpansion(): Expansion | null {
    if (this.#queue.size === 0 && this.expandable.canExpand(ROOT)) this.#queue.plan(this.plan());
    return this.#queue.take();
  }

  record(parent: number, agent: number, score: number): number {
    const node = this.tree.add(parent, agent);
    this.expandable.nodeAdded(node);
    this.nodeRecorded(node, parent, score);
    return node;
  }

  failed(expansion: Expansion): void {
    if (this.expandable.agentsAt(expansion.parent).includes(expansion.agent)) this.#queue.putBack(expansion);
  }

  close({ parent, agent }: Expansion): void {
    this.expandable.close(parent, agent);
    this.#queue.drop(agent, parent);
  }

  retire(agent: number): void {
    this.expandable.retire(agent);
    this.#queue.drop(agent);
  }

  revive(agent: number): void {
    this.expandable.revive(agent);
  }
}
