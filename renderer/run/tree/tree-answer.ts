import { selectedNode, type TreeView } from '../../../preload/contract/folds';
import type { SearchOptions } from '../../../preload/contract/strategy';

/** Index of the node that the search would hand in; null without one. Samples are measured one by one: they have no answer. */
export function answerOf(tree: Pick<TreeView, 'nodes' | 'part'>, tie: SearchOptions['tie']): number | null {
  return tree.part === 'samples' ? null : (selectedNode(tree.nodes, tie)?.index ?? null);
}
