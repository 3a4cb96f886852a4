import type { Strategy } from '../../preload/contract';
import type { IndexedDecision } from './indexed-decision';
import { PlannedSearch } from './planned-search';
import type { PosteriorSummary } from './posteriors';
import type { Expansion } from './search-algorithm';
import { ROOT } from './tree';

export type MctsOptions = Pick<Extract<Strategy, { kind: 'mcts' }>, 'samples' | 'exploration'>;

/**
 * Monte Carlo tree search with upper confidence bounds (UCT: Kocsis and Szepesvári 2006) in the form of
 * SakanaAI/treequest (src/treequest/algos/standard_mcts.py at commit e6865b7). From the root go to the child with the
 * largest
 *
 *   mean of the subtree's scores + exploration * prior * sqrt(ln(visits of the parent) / visits of the child)
 *
 * until a leaf, which gets `samples` programs of every agent. A new node counts one visit with its score for itself and
 * all its ancestors. The prior is the softmax of the siblings' own scores; an only child has 1. The first child wins
 * ties. (treequest's docstring puts the prior before the mean, its code where it stands here.)
 *
 * In a batch, once everything planned for a leaf has been asked, the next ask walks again with the outcomes known by
 * then; a leaf without children yet is planned once more. A node all of whose children are closed is expanded again.
 */
export class Mcts extends PlannedSearch {
  readonly #options: MctsOptions;
  readonly #scores: number[] = [];
  /** At [node + 1]: nodes of the subtree, and the sum of their scores. */
  readonly #visits: number[] = [];
  readonly #sums: number[] = [];

  constructor(options: MctsOptions, agentCount: number) {
    super(agentCount);
    this.#options = options;
  }

  protected nodeRecorded(node: number, _parent: number, score: number): void {
    this.#scores[node] = score;
    for (let current = node; ; current = this.tree.parentOf(current)) {
      this.#visits[current + 1] = (this.#visits[current + 1] ?? 0) + 1;
      this.#sums[current + 1] = (this.#sums[current + 1] ?? 0) + score;
      if (current === ROOT) return;
    }
  }

  posteriorOf(_expansion: Expansion, _at: number, option: number): PosteriorSummary | null {
    const visits = this.#visits[option + 1] ?? 0;
    if (visits === 0) return null;
    return { kind: 'mean', observations: visits, mean: (this.#sums[option + 1] ?? 0) / visits };
  }

  protected plan(): readonly Expansion[] {
    const why: IndexedDecision[] = [];
    let parent = ROOT;
    for (;;) {
      const children = this.expandable.expandableChildren(parent);
      if (children.length === 0) break;
      parent = this.#bestChild(parent, children, why);
    }
    const expansions: Expansion[] = [];
    for (const agent of this.expandable.agentsAt(parent)) {
      for (let i = 0; i < this.#options.samples; i++) expansions.push({ parent, agent, why });
    }
    return expansions;
  }

  #bestChild(node: number, children: readonly number[], why: IndexedDecision[]): number {
    const priorOf = this.#priors(node);
    const logVisits = Math.log(this.#visits[node + 1] ?? 1);
    const bounds = children.map((child) => {
      const visits = this.#visits[child + 1] ?? 1;
      const mean = (this.#sums[child + 1] ?? 0) / visits;
      return mean + this.#options.exploration * priorOf(child) * Math.sqrt(logVisits / visits);
    });
    let chosen = 0;
    for (const [i, bound] of bounds.entries()) if (bound > (bounds[chosen] as number)) chosen = i;
    if (children.length > 1) {
      why.push({ node, question: 'child', measure: 'bound', options: children, values: bounds, chosen });
    }
    return children[chosen] as number;
  }

  #priors(node: number): (child: number) => number {
    const children = this.tree.childrenOf(node);
    if (children.length < 2) return () => 1;
    const scoreOf = (child: number): number => this.#scores[child] ?? 0;
    const largest = children.reduce((most, child) => Math.max(most, scoreOf(child)), 0);
    const sum = children.reduce((total, child) => total + Math.exp(scoreOf(child) - largest), 0);
    return (child) => Math.exp(scoreOf(child) - largest) / sum;
  }
}
