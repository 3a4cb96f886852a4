import type { SearchOptions } from '../strategy';
import type { Verdict } from '../verdict';
import type { NodeView, TreeView } from './run-view';

/**
 * The outcome of one problem in one run.
 * solved: the chosen node passes the private tests; found: another node does; public-only: some node passes all
 * public tests and none the private ones; unsolved: none passes the public tests.
 */
export type Outcome = 'waiting' | 'searching' | 'grading' | 'solved' | 'found' | 'public-only' | 'unsolved';

/** How the answer is selected among nodes. */
export type AnswerRule = Pick<SearchOptions, 'tie' | 'rewardModel'>;

/** Is `later` a better answer than `best`, which was recorded before it? */
export function isBetterAnswer(
  later: Pick<NodeView, 'score' | 'reward'>,
  best: Pick<NodeView, 'score' | 'reward'>,
  { tie, rewardModel }: AnswerRule,
): boolean {
  if (later.score !== best.score) return later.score > best.score;
  if (rewardModel?.use === 'choice') {
    const [mine, other] = [later.reward ?? Number.NEGATIVE_INFINITY, best.reward ?? Number.NEGATIVE_INFINITY];
    if (mine !== other) return mine > other;
  }
  return tie === 'latest';
}

/** The answer of the search: the best score among the first `limit` nodes, ties by the run's rule. */
export function selectedNode(
  nodes: readonly NodeView[],
  rule: AnswerRule,
  limit = nodes.length,
): NodeView | null {
  let best: NodeView | null = null;
  for (let i = 0; i < Math.min(limit, nodes.length); i++) {
    const node = nodes[i] as NodeView;
    if (best === null || isBetterAnswer(node, best, rule)) best = node;
  }
  return best;
}

/** The verdict of all public tests; null: the problem has none, so that a program that runs has passed nothing. */
export function publicVerdictOf({
  publicVerdict,
  publicVerdicts,
}: Pick<NodeView, 'publicVerdict' | 'publicVerdicts'>): Verdict | null {
  return publicVerdict === 'passed' && publicVerdicts.length === 0 ? null : publicVerdict;
}

export function outcomeOf(tree: TreeView | undefined, rule: AnswerRule): Outcome {
  if (tree === undefined || (tree.nodes.length === 0 && tree.searched === null)) return 'waiting';
  if (tree.searched === null) return 'searching';
  if (tree.graded < tree.nodes.length) return 'grading';
  if (selectedNode(tree.nodes, rule)?.privateVerdict === 'passed') return 'solved';
  if (tree.nodes.some((node) => node.privateVerdict === 'passed')) return 'found';
  if (tree.nodes.some((node) => publicVerdictOf(node) === 'passed')) return 'public-only';
  return 'unsolved';
}
