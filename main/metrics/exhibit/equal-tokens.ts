import type { RunView, TreeView } from '../../../preload/contract';
import { treeKey } from '../../../preload/contract/folds';
import { isDone } from '../run-metrics';

/** A run cut off where it has spent the tokens of another run. */
export type EqualTokens = {
  readonly view: RunView;
  /** Problems where it had no program left before these tokens were spent. */
  readonly short: number;
  /** Problems that both have searched. */
  readonly problems: number;
  /** Programs on these problems that count, and all that there are. */
  readonly programs: number;
  readonly written: number;
  /** Tokens of these programs, and what they could be at most. */
  readonly tokens: number;
  readonly limit: number;
};

/**
 * The run with only the first programs of each search tree, as many as fit into the tokens (prompt and completion) of the
 * other run's tree of the same problem. A problem that the other run has not finished counts as not finished here.
 */
export function withTokensOf(run: RunView, other: RunView): EqualTokens {
  const trees = new Map(run.trees);
  let [short, problems, programs, written, tokens, limit] = [0, 0, 0, 0, 0, 0];
  for (const problemId of run.config.problemIds) {
    const key = treeKey(problemId, 'search');
    const tree = run.trees.get(key);
    if (tree === undefined) continue;
    const budget = other.trees.get(key);
    if (!isDone(budget)) {
      trees.set(key, { ...tree, searched: null });
      continue;
    }
    const own = tokensOf(budget.nodes);
    const nodes = within(tree.nodes, own);
    trees.set(key, { ...tree, nodes, graded: tree.graded === tree.nodes.length ? nodes.length : 0 });
    problems += 1;
    programs += nodes.length;
    written += tree.nodes.length;
    tokens += tokensOf(nodes);
    limit += own;
    if (nodes.length === tree.nodes.length && tokensOf(nodes) < own) short += 1;
  }
  return { view: { ...run, trees }, short, problems, programs, written, tokens, limit };
}

type Nodes = TreeView['nodes'];

function within(nodes: Nodes, limit: number): Nodes {
  let spent = 0;
  const end = nodes.findIndex((node) => {
    spent += node.promptTokens + node.completionTokens;
    return spent > limit;
  });
  return end === -1 ? nodes : nodes.slice(0, end);
}

function tokensOf(nodes: Nodes): number {
  return nodes.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0);
}
