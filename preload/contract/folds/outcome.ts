import type { SearchOptions } from '../strategy';
import type { NodeView, TreeView } from './run-view';

/**
 * What came of one problem in one run.
 * solved: the chosen node passes the private tests; found: another node does; public-only: some node passes all
 * public tests and none the private ones; unsolved: none passes the public tests.
 */
export type Outcome = 'waiting' | 'searching' | 'grading' | 'solved' | 'found' | 'public-only' | 'unsolved';

/** The answer of the search: the best public score among the first `limit` nodes, ties by the run's rule. */
export function selectedNode(
  nodes: readonly NodeView[],
  tie: SearchOptions['tie'],
  limit = nodes.length,
): NodeView | null {
  let best: NodeView | null = null;
  for (let i = 0; i < Math.min(limit, nodes.length); i++) {
    const node = nodes[i] as NodeView;
    if (best === null || node.score > best.score || (tie === 'latest' && node.score === best.score)) {
      best = node;
    }
  }
  return best;
}

export function outcomeOf(tree: TreeView | undefined, tie: SearchOptions['tie']): Outcome {
  if (tree === undefined || (tree.nodes.length === 0 && tree.searched === null)) return 'waiting';
  if (tree.searched === null) return 'searching';
  if (tree.graded < tree.nodes.length) return 'grading';
  if (selectedNode(tree.nodes, tie)?.privateVerdict === 'passed') return 'solved';
  if (tree.nodes.some((node) => node.privateVerdict === 'passed')) return 'found';
  if (tree.nodes.some((node) => node.publicVerdict === 'passed')) return 'public-only';
  return 'unsolved';
}

/** Indices from the first attempt to this node. */
export function pathTo(nodes: readonly NodeView[], index: number): number[] {
  const path: number[] = [];
  for (let at: number | undefined = index; at !== undefined && at >= 0; at = nodes[at]?.parent) path.push(at);
  return path.reverse();
}
