import type { Rollout } from '../../preload/contract/index';
import type { GrownTree } from './grow-tree';
import type { UpdateValues } from './learner';
import type { CreditedTree } from './sample';
import type { LearnerState } from './trainer-state';

/** A line of metrics.jsonl. */
export type MetricLine = {
  /** The agent's updates. */
  readonly step: number;
  readonly round: number;
  /** null: all agents together. */
  readonly agent: string | null;
  readonly part?: 'evaluation';
  /** Samples that the agent has learned from. */
  readonly samples: number;
  readonly values: UpdateValues;
};

export type RoundReport = { readonly lines: readonly MetricLine[]; readonly rollouts: readonly Rollout[] };

/** A learner's share of its group's trees since its last update. */
export type TreeShare = LearnerState['share'];

export const NO_SHARE: TreeShare = { trees: 0, kept: 0, solved: 0, nodes: 0, own: 0, stale: 0 };

/** The share with these trees as well. */
export function withTrees(
  share: TreeShare,
  learnerId: string,
  trees: readonly CreditedTree<unknown>[],
): TreeShare {
  const nodes = trees.flatMap(({ tree }) => tree.nodes);
  const left = trees.flatMap(({ tree }) => tree.unjudged).filter((id) => id === learnerId);
  const unjudged = (share.unjudged ?? 0) + left.length;
  return {
    trees: share.trees + trees.length,
    kept: share.kept + trees.filter(({ signal }) => signal !== null).length,
    solved: share.solved + trees.filter(({ tree }) => tree.nodes.some(({ passes }) => passes)).length,
    nodes: share.nodes + nodes.length,
    stale: share.stale,
    ...(unjudged === 0 ? {} : { unjudged }),
    own: share.own + nodes.filter((node) => node.learnerId === learnerId).length,
  };
}

/** Where the time of a round went: shares of it that add up to 1, and tokens written per second of writing. */
export function timeValues(
  trees: readonly GrownTree<unknown>[],
  searchMs: number,
  learnMs: number,
): UpdateValues {
  const nodes = trees.flatMap((tree) => tree.nodes);
  const sum = (of: (node: (typeof nodes)[number]) => number): number =>
    nodes.reduce((total, node) => total + of(node), 0);
  const [writeMs, gradeMs] = [sum((node) => node.writeMs), sum((node) => node.gradeMs)];
  const all = searchMs + learnMs;
  if (all <= 0 || writeMs + gradeMs <= 0) return {};
  // Trees run side by side, so that the sums over nodes only say how the search divides.
  const writing = (searchMs * writeMs) / (writeMs + gradeMs);
  return {
    'time-writing': writing / all,
    'time-grading': (searchMs - writing) / all,
    'time-learning': learnMs / all,
    ...(writing > 0 ? { 'tokens-per-second': sum(({ rollout }) => rollout.length) / (writing / 1_000) } : {}),
  };
}
