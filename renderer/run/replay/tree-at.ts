import {
  type AnswerRule,
  isBetterAnswer,
  type NodeView,
  type TreeView,
} from '../../../preload/contract/folds/index';

/**
 * The nodes without private verdicts: private tests run after the search, which never sees them.
 */
export function withoutPrivateVerdicts(nodes: readonly NodeView[]): readonly NodeView[] {
  return nodes.map((node) => ({ ...node, privateVerdict: null, privateVerdicts: [], otherVerdict: null }));
}

/** The tree with its first `moment` nodes. `nodes`: the tree's own, or those `withoutPrivateVerdicts`. */
export function treeAt(tree: TreeView, nodes: readonly NodeView[], moment: number): TreeView {
  const shown = nodes.slice(0, moment);
  return {
    problemId: tree.problemId,
    part: tree.part,
    nodes: shown,
    failures: tree.failures.filter((failure) => failure.nodes <= moment),
    graded: shown.reduce((sum, node) => sum + (node.privateVerdict === null ? 0 : 1), 0),
    searched: null,
  };
}

/** A change of the answer: from `moment` nodes on it is node `index`. */
export type AnswerChange = { readonly moment: number; readonly index: number; readonly score: number };

/** Every change of the search's answer, from the first node on. */
export function answerChanges(nodes: readonly NodeView[], rule: AnswerRule): readonly AnswerChange[] {
  const changes: AnswerChange[] = [];
  let best: NodeView | null = null;
  for (const node of nodes) {
    if (best !== null && !isBetterAnswer(node, best, rule)) continue;
    best = node;
    changes.push({ moment: node.index + 1, index: node.index, score: node.score });
  }
  return changes;
}

/** The answer at `moment` nodes; null before the first. */
export function answerAt(changes: readonly AnswerChange[], moment: number): AnswerChange | null {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle] as AnswerChange).moment <= moment) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1] ?? null;
}
