import type { Strategy } from '../../preload/contract';
import { BinaryHeap } from './binary-heap';
import { PlannedSearch } from './planned-search';
import type { Reason } from './reason';
import { ROOT } from './tree';
import type { Choice } from './tree-search';

export type BestFirstOptions = Pick<Extract<Strategy, { kind: 'best-first' }>, 'samples'>;

/** Leaves that a reason names: the chosen one and those that come next. All of them would be a list as long as the tree. */
const LEAVES_TOLD = 8;

type Leaf = { readonly node: number; readonly score: number; readonly depth: number };

/** The higher score, then the shallower, then the earlier node. */
function comesBefore(a: Leaf, b: Leaf): boolean {
  if (a.score !== b.score) return a.score > b.score;
  return a.depth === b.depth ? a.node < b.node : a.depth < b.depth;
}

/**
 * Best-first search as SakanaAI/treequest has it (src/treequest/algos/best_first_search.py at commit e6865b7): the leaf
 * with the highest score, the shallower of equals, leaves the heap and gets `samples` programs of every agent; without
 * a leaf the root does. Departure: of equals in both, the earlier node goes first, where treequest's heap leaves it
 * open.
 *
 * Several at once: when all that was planned has been asked, the next best leaf is planned, or the root while nothing
 * was told. When every leaf and the root are closed, the nodes that were expanded once go into the heap again.
 */
export class BestFirst extends PlannedSearch {
  readonly #samples: number;
  readonly #scores: number[] = [];
  readonly #leaves = new BinaryHeap<Leaf>(comesBefore);

  constructor(options: BestFirstOptions, agentCount: number) {
    super(agentCount);
    this.#samples = options.samples;
  }

  protected recorded(node: number, _parent: number, score: number): void {
    this.#scores[node] = score;
    this.#addLeaf(node);
  }

  protected plan(): readonly Choice[] {
    const best = this.#bestLeaves();
    const parent = best[0]?.node ?? ROOT;
    const why: Reason[] = [];
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
    const choices: Choice[] = [];
    for (const agent of this.openings.at(parent)) {
      for (let i = 0; i < this.#samples; i++) choices.push({ parent, agent, why });
    }
    return choices;
  }

  /** The first of them has left the heap, the others are there. None: the root is meant. */
  #bestLeaves(): Leaf[] {
    const best = this.#takeOpen();
    if (best.length === 0 && this.openings.at(ROOT).length === 0) {
      for (let node = 0; node < this.tree.size; node++) this.#addLeaf(node);
      best.push(...this.#takeOpen());
    }
    for (const other of best.slice(1)) this.#leaves.push(other);
    return best;
  }

  /** Up to `LEAVES_TOLD` from the heap; those without an agent that could write below them go for good. */
  #takeOpen(): Leaf[] {
    const open: Leaf[] = [];
    while (open.length < LEAVES_TOLD) {
      const leaf = this.#leaves.pop();
      if (leaf === undefined) break;
      if (this.openings.at(leaf.node).length > 0) open.push(leaf);
    }
    return open;
  }

  #addLeaf(node: number): void {
    this.#leaves.push({ node, score: this.#scores[node] as number, depth: this.tree.depthOf(node) });
  }
}
