import { ExpansionQueue } from './expansion-queue';
import type { Expansion, SearchAlgorithm } from './search-algorithm';
import { ROOT } from './tree';
import { TreeSearch } from './tree-search';

/** Base of the searches that plan several expansions at once and hand them out one by one. */
export abstract class PlannedSearch extends TreeSearch implements SearchAlgorithm {
  readonly #queue: ExpansionQueue;

  constructor(agentCount: number) {
    super(agentCount);
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

  override failed(expansion: Expansion): void {
    if (this.expandable.agentsAt(expansion.parent).includes(expansion.agent)) this.#queue.putBack(expansion);
  }

  override close(expansion: Expansion): void {
    super.close(expansion);
    this.#queue.drop(expansion.agent, expansion.parent);
  }

  override retire(agent: number): void {
    super.retire(agent);
    this.#queue.drop(agent);
  }
}
