import type { Strategy } from '../../preload/contract';
import { BinaryHeap } from './binary-heap';
import type { IndexedDecision } from './indexed-decision';
import { PlannedSearch } from './planned-search';
import type { Expansion } from './search-algorithm';
import { ROOT } from './tree';

export type BestFirstOptions = Pick<Extract<Strategy, { kind: 'best-first' }>, 'samples'>;

/**
 * Leaves that a decision records: the chosen one and the next best. All of them would be a list as long as the tree.
 */
const LEAVES_IN_DECISION = 8;

type Leaf = { readonly node: number; readonly score: number; readonly depth: number };

/** The higher score, then the shallower, then the earlier node. */
function comesBefore(a: Leaf, b: Leaf): boolean {
  if (a.score !== b.score) return a.score > b.score;
  return a.depth === b.depth ? a.node < b.node : a.depth < b.depth;
}

/**
 * Best-first search as SakanaAI/treequest has it (src/treequest/algos/best_first_search.py at commit e6865b7): the leaf
 * with the highest score (ties: the shallower) leaves the heap and gets `samples` programs of every agent; without a
 * leaf the root does. Departure: among equals in both, the earlier node goes first; treequest's heap leaves this
 * undefined.
 *
 * In a batch, once everything planned has been asked, the next best leaf is planned, or the root while no outcome is
 * known. When every leaf and the root are closed, the nodes that were expanded before go back into the heap.
 */
export class BestFirst extends PlannedSearch {
  readonly #samples: number;
  readonly #scores: number[] = [];
  readonly #leaves = new BinaryHeap<Leaf>(comesBefore);

  constructor(options: BestFirstOptions, agentCount: number) {
    super(agentCount);
    this.#samples = options.samples;
  }

  protected nodeRecorded(node: number, _parent: number, score: number): void {
    this.#scores[node] = score;
    this.#addLeaf(node);
  }

  protected plan(): readonly Expansion[] {
    const best = this.#bestLeaves();
    const parent = best[0]?.node ?? ROOT;
    const why: IndexedDecision[] = [];
    if (best.length > 1) {
      why.push({
        node: ROOT,
        question: 'leaf',
        measure: 'score',
        options: best.map(({ node }) => node),
        values: best.map(({ score }) => score),
        chosen: 0,
      });
    }
    const expansions: Expansion[] = [];
    for (const agent of this.expandable.agentsAt(parent)) {
      for (let i = 0; i < this.#samples; i++) expansions.push({ parent, agent, why });
    }
    return expansions;
  }

  /** The first is taken off the heap, the others stay in it. Empty: expand the root. */
  #bestLeaves(): Leaf[] {
    const best = this.#takeExpandable();
    if (best.length === 0 && this.expandable.agentsAt(ROOT).length === 0) {
      for (let node = 0; node < this.tree.size; node++) this.#addLeaf(node);
      best.push(...this.#takeExpandable());
    }
    for (const other of best.slice(1)) this.#leaves.push(other);
    return best;
  }

  /** Up to `LEAVES_IN_DECISION` from the heap; leaves that no agent can expand are dropped permanently. */
  #takeExpandable(): Leaf[] {
    const leaves: Leaf[] = [];
    while (leaves.length < LEAVES_IN_DECISION) {
      const leaf = this.#leaves.pop();
      if (leaf === undefined) break;
      if (this.expandable.agentsAt(leaf.node).length > 0) leaves.push(leaf);
    }
    return leaves;
  }

  #addLeaf(node: number): void {
    this.#leaves.push({ node, score: this.#scores[node] as number, depth: this.tree.depthOf(node) });
  }
}
