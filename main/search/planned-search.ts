import { ExpansionQueue } from './expansion-queue';
import { Openings } from './openings';
import { ROOT, SearchTree } from './tree';
import type { Choice, TreeSearch } from './tree-search';

/** A search that plans several programs at once and is then asked for them one by one. */
export abstract class PlannedSearch implements TreeSearch {
  readonly tree = new SearchTree();
  protected readonly openings: Openings;
  readonly #queue: ExpansionQueue;

  constructor(agentCount: number) {
    this.openings = new Openings(agentCount, this.tree);
    this.#queue = new ExpansionQueue(agentCount);
  }

  /** What comes next, while something can be entered; nothing when nothing can be planned. */
  protected abstract plan(): readonly Choice[];

  /** A program was told: what the search keeps of it beside the tree. */
  protected abstract recorded(node: number, parent: number, score: number): void;

  choose(): Choice | null {
    if (this.#queue.size === 0 && this.openings.canEnter(ROOT)) this.#queue.plan(this.plan());
    return this.#queue.take();
  }

  record(parent: number, agent: number, score: number): number {
    const node = this.tree.add(parent, agent);
    this.openings.added(node);
    this.recorded(node, parent, score);
    return node;
  }

  failed(choice: Choice): void {
    if (this.openings.at(choice.parent).includes(choice.agent)) this.#queue.putBack(choice);
  }

  close({ parent, agent }: Choice): void {
    this.openings.close(parent, agent);
    this.#queue.drop(agent, parent);
  }

  retire(agent: number): void {
    this.openings.retire(agent);
    this.#queue.drop(agent);
  }

  revive(agent: number): void {
    this.openings.revive(agent);
  }
}
