import type { RunView, TreeShape, TreeView } from '../../../preload/contract';
import { treeKey } from '../../../preload/contract/folds';
import { isUnanswered } from '../configuration-metrics';
import { isDone } from '../run-metrics';
import { finishedSeeds, seedSpreads } from '../seed-spread';

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

/**
 * Shape of the finished search trees of one configuration's runs. A tree without nodes has depth and width 0.
 * `meanDepth`: mean depth of the deepest nodes. `meanBranching`: per tree the mean number of children of nodes with
 * children, averaged over the trees with such nodes; 0 if there are none.
 */
export function treeShape(configuration: string, runs: readonly RunView[]): TreeShape {
  const bySeed = finishedSeeds(runs).map((run) => shapeOf(configuration, [run]));
  return {
    ...shapeOf(configuration, runs),
    ...seedSpreads(bySeed, ['meanDepth', 'meanWidth', 'meanBranching']),
  };
}

function shapeOf(configuration: string, runs: readonly RunView[]): TreeShape {
  const levels: Array<{ nodes: number; passed: number }> = [];
  const branchings: number[] = [];
  let [trees, depths, widths, maxDepth] = [0, 0, 0, 0];
  for (const { tree } of finishedTrees(runs)) {
    let [deepest, width] = [0, 0];
    const parents = new Set<number>();
    for (const { depth, parent, privateVerdict } of tree.nodes) {
      deepest = Math.max(deepest, depth);
      if (parent === -1) width += 1;
      else parents.add(parent);
      while (levels.length < depth) levels.push({ nodes: 0, passed: 0 });
      const level = levels[depth - 1] as { nodes: number; passed: number };
      level.nodes += 1;
      if (privateVerdict === 'passed') level.passed += 1;
    }
    trees += 1;
    depths += deepest;
    widths += width;
    maxDepth = Math.max(maxDepth, deepest);
    if (parents.size > 0) branchings.push((tree.nodes.length - width) / parents.size);
  }
  const over = (sum: number, count: number): number => (count === 0 ? 0 : sum / count);
  return {
    configuration,
    trees,
    meanDepth: over(depths, trees),
    maxDepth,
    meanWidth: over(widths, trees),
    meanBranching: over(
      branchings.reduce((sum, mean) => sum + mean, 0),
      branchings.length,
    ),
    byDepth: levels.map((level, at) => ({ depth: at + 1, ...level })),
  };
}
