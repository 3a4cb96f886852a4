import { ExpandableNodes } from './expandable-nodes';
import type { Expansion } from './search-algorithm';
import { SearchTree } from './tree';

/** What all searches over a tree have in common: the tree, and which agents can still expand which nodes. */
export abstract class TreeSearch {
  readonly tree = new SearchTree();
  protected readonly expandable: ExpandableNodes;

  constructor(agentCount: number) {
    this.expandable = new ExpandableNodes(agentCount, this.tree);
  }

  failed(_expansion: Expansion): void {}

  close({ parent, agent }: Expansion): void {
    this.expandable.close(parent, agent);
  }

  /** The agent is no longer chosen; its nodes stay and still count. */
  retire(agent: number): void {
    this.expandable.retire(agent);
  }

  revive(agent: number): void {
    this.expandable.revive(agent);
  }
}
