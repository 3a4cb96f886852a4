import { type RunConfig, type RunEvent, type TreePart, treeKey } from '../../preload/contract';

type TreeState = {
  nodes: number;
  /** The next trial, where trials are recorded in the order of asking. */
  trials: number;
  searched: boolean;
  /** Something of it may be missing: no more of its nodes count, and it is never done. */
  cut: boolean;
};

export type Judgement =
  | { readonly kind: 'kept' }
  /** Cannot be vouched for after damage further up. */
  | { readonly kind: 'dropped' }
  /** The event itself shows that lines before it are missing. */
  | { readonly kind: 'gap'; readonly why: string };

const KEPT: Judgement = { kind: 'kept' };
const DROPPED: Judgement = { kind: 'dropped' };

/**
 * Judges, event by event, what of a damaged journal can be trusted. A line that cannot be read may have been any
 * event, so a tree that was being searched then keeps what it has and gets no more nodes and no end: it is
 * never taken for a finished one. Trees that were complete, and trees that begin later from their first trial
 * without a gap, are whole. Grades of nodes that are there are always good.
 */
export class IntactTrees {
  readonly #trees = new Map<string, TreeState>();
  #damaged = false;
  #inOrder = true;
  /** Nodes of a tree that ends with its budget. */
  #budget: Record<TreePart, number> = { search: 0, samples: 0 };

  /** A line that cannot be read comes here. */
  damage(): void {
    this.#damaged = true;
    for (const tree of this.#trees.values()) if (!tree.searched) tree.cut = true;
  }

  judge(event: RunEvent): Judgement {
    switch (event.kind) {
      case 'run-started':
        this.#begin(event.config);
        return KEPT;
      case 'run-finished':
        return this.#damaged ? DROPPED : KEPT;
      case 'node-graded': {
        const tree = this.#tree(event.problemId, event.part);
        if (event.index < tree.nodes) return KEPT;
        return this.#gap(tree, event.problemId, event.part, `a grade of node ${event.index}`);
      }
      case 'node-added': {
        const tree = this.#tree(event.problemId, event.part);
        if (tree.cut) return DROPPED;
        if (event.index < tree.nodes) return KEPT; // recorded twice: the fold takes the first
        const missing = event.index > tree.nodes || event.parent >= event.index;
        if (missing || this.#trialsMissing(tree, event.trial)) {
          return this.#gap(tree, event.problemId, event.part, `node ${event.index}`);
        }
        tree.nodes += 1;
        tree.trials = event.trial + 1;
        return KEPT;
      }
      case 'trial-failed': {
        const tree = this.#tree(event.problemId, event.part);
        if (tree.cut) return DROPPED;
        if (this.#trialsMissing(tree, event.trial)) {
          return this.#gap(tree, event.problemId, event.part, `trial ${event.trial}`);
        }
        tree.trials = Math.max(tree.trials, event.trial + 1);
        return KEPT;
      }
      case 'tree-searched': {
        const tree = this.#tree(event.problemId, event.part);
        // No tree ends before its first trial: behind damage, its trials are lost.
        if (tree.cut || (this.#damaged && tree.trials === 0 && !tree.searched)) return DROPPED;
        if (event.reason === 'budget' && tree.nodes < this.#budget[event.part]) {
          return this.#gap(tree, event.problemId, event.part, 'the end');
        }
        tree.searched = true;
        return KEPT;
      }
    }
  }

  #begin({ search, team }: RunConfig): void {
    this.#inOrder = search.order === 'asked';
    this.#budget = { search: search.nodes, samples: search.samplesPerAgent * team.agents.length };
  }

  /** Only behind damage: an undamaged journal is judged by its nodes alone, whatever numbers its trials have. */
  #trialsMissing(tree: TreeState, trial: number): boolean {
    return this.#damaged && this.#inOrder && trial > tree.trials;
  }

  #gap(tree: TreeState, problemId: string, part: TreePart, what: string): Judgement {
    const wasDamaged = this.#damaged;
    tree.cut = true;
    this.damage();
    if (wasDamaged) return DROPPED;
    const why = `${what} of the ${part} tree of ${problemId} comes where nodes before it are missing`;
    return { kind: 'gap', why };
  }

  #tree(problemId: string, part: TreePart): TreeState {
    const key = treeKey(problemId, part);
    let tree = this.#trees.get(key);
    if (tree === undefined) {
      tree = { nodes: 0, trials: 0, searched: false, cut: false };
      this.#trees.set(key, tree);
    }
    return tree;
  }
}
