import type { RunView, TreeView } from '../../../preload/contract';
import { treeKey } from '../../../preload/contract/folds';
import { isUnanswered } from '../configuration-metrics';
import { isDone } from '../run-metrics';

/** The search trees that are searched and graded to their end, run by run in the order of its problems. */
export function finishedTrees(
  runs: readonly RunView[],
): Array<{ readonly run: RunView; readonly tree: TreeView }> {
  return runs.flatMap((run) =>
    run.config.problemIds.flatMap((id) => {
      const tree = run.trees.get(treeKey(id, 'search'));
      return isDone(tree) && !isUnanswered(run, id) ? [{ run, tree }] : [];
    }),
  );
}
