import { type AnswerRule, selectedNode, type TreeView } from '../../../preload/contract/folds';

/** Index of the node that the search would hand in; null without one. Samples are measured one by one: they have no answer. */
export function answerOf(tree: Pick<TreeView, 'nodes' | 'part'>, rule: AnswerRule): number | null {
  return tree.part === 'samples' ? null : (selectedNode(tree.nodes, rule)?.index ?? null);
}
