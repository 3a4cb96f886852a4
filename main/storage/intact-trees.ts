import {
  type LimitsEvent,
  limitsSince,
  type RunConfig,
  type RunEvent,
  type TreeEnd,
  type TreePart,
  treeKey,
} from '../../preload/contract';

type TreeState = {
  nodes: number;
  /** The next trial, where trials are recorded in the order of asking. */
  trials: number;
  searched: boolean;
  /** A higher limit opens it again. */
  end: TreeEnd | null;
  /** Events of it may be missing: later nodes do not count, and it never counts as complete. */
  cut: boolean;
};

export type Judgement =
  | { readonly kind: 'kept' }
  /** Cannot be trusted because of damage before it. */
  | { readonly kind: 'dropped' }
  /** The event itself shows that lines before it are missing. */
  | { readonly kind: 'gap'; readonly why: string };

const KEPT: Judgement = { kind: 'kept' };
const DROPPED: Judgement = { kind: 'dropped' };

/**
 * Decides for each event of a damaged journal whether it can be trusted. An unreadable line may have been any event. So
 * a tree that was being searched at that point keeps its earlier nodes, but loses later nodes and its end: it never
 * counts as finished. Trees that were complete before, and trees that begin later and have no gap from their first
 * trial on, are intact. Grades of known nodes are always trusted.
 */
export class IntactTrees {
  readonly #trees = new Map<string, TreeState>();
  #damaged = false;
  #isWhole = true;
  #inOrder = true;
  /** Nodes of a tree that ends with its budget. */
  #budget: Record<TreePart, number> = { search: 0, samples: 0 };
  /** Nodes that a tree can have: more than its budget where that was lowered. */
  #most: Record<TreePart, number> = { search: 0, samples: 0 };

  /** Call it for each line that cannot be read. */
  damage(): void {
    this.#damaged = true;
    for (const tree of this.#trees.values()) if (!tree.searched) tree.cut = true;
  }

  /** Call it for each line of a tree that only a newer version can read: nothing is lost, but this tree is not whole here. */
  incomplete(problemId: string, part: TreePart): void {
    const tree = this.#tree(problemId, part);
    if (!tree.searched) tree.cut = true;
    this.#isWhole = false;
  }

  judge(event: RunEvent): Judgement {
    switch (event.kind) {
      case 'run-started':
        this.#begin(event.config);
        return KEPT;
      case 'run-extended':
      case 'limits-changed':
        this.#limit(event);
        return KEPT;
      case 'run-finished':
        return this.#damaged || !this.#isWhole ? DROPPED : KEPT;
      case 'node-graded': {
        const tree = this.#tree(event.problemId, event.part);
        if (event.index < tree.nodes) return KEPT;
        if (tree.cut) return DROPPED;
        return this.#gap(tree, event.problemId, event.part, `a grade of node ${event.index}`);
      }
      case 'node-added': {
        const tree = this.#tree(event.problemId, event.part);
        if (tree.cut) return DROPPED;
        if (event.index < tree.nodes) return KEPT; // recorded twice: the fold takes the first
        // After damage: the extension that allowed so many may be the line that was lost.
        const tooMany = this.#damaged && event.index >= this.#most[event.part];
        const missing = event.index > tree.nodes || event.parent >= event.index || tooMany;
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
        // A tree cannot end before its first trial, so the damage took its trials.
        if (tree.cut || (this.#damaged && tree.trials === 0 && !tree.searched)) return DROPPED;
        if (event.reason === 'budget' && tree.nodes < this.#budget[event.part]) {
          return this.#gap(tree, event.problemId, event.part, 'the end');
        }
        tree.searched = true;
        tree.end = event.reason;
        return KEPT;
      }
    }
  }

  #begin({ search, team }: RunConfig): void {
    this.#inOrder = search.order === 'asked';
    this.#budget = { search: search.nodes, samples: search.samplesPerAgent * team.agents.length };
    this.#most = { ...this.#budget };
  }

  #limit(event: LimitsEvent): void {
    const { nodes } = limitsSince(event, { nodes: this.#budget.search, tokens: null, seconds: null });
    this.#budget.search = nodes;
    this.#most.search = Math.max(this.#most.search, nodes);
    for (const [key, tree] of this.#trees) {
      if (!key.startsWith(treeKey('', 'search'))) continue;
      if (tree.end === 'budget' && tree.nodes < nodes) tree.searched = false;
      // Whether a tree that ended with tokens or seconds continues, its nodes alone would say: it may.
      const mayGoOn = event.kind === 'limits-changed' && (tree.end === 'tokens' || tree.end === 'seconds');
      if (mayGoOn) tree.searched = false;
    }
  }

  /** Checks trial numbers only after damage; in an undamaged journal only the nodes decide. */
  #trialsMissing(tree: TreeState, trial: number): boolean {
    return this.#damaged && this.#inOrder && trial > tree.trials;
  }

  #gap(tree: TreeState, problemId: string, part: TreePart, event: string): Judgement {
    const wasDamaged = this.#damaged;
    tree.cut = true;
    this.damage();
    if (wasDamaged) return DROPPED;
    const why = `${event} of the ${part} tree of ${problemId} follows a gap: nodes before it are missing`;
    return { kind: 'gap', why };
  }

  #tree(problemId: string, part: TreePart): TreeState {
    const key = treeKey(problemId, part);
    let tree = this.#trees.get(key);
    if (tree === undefined) {
      tree = { nodes: 0, trials: 0, searched: false, end: null, cut: false };
      this.#trees.set(key, tree);
    }
    return tree;
  }
}
