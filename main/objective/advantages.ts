import type { Objective } from '../../preload/contract';
import { assertNever } from '../base';

/** The nodes of a tree, by their index, which is the order in which they were written. */
export type RewardedTree = {
  /** What the optimiser maximizes: shaped, with penalties. */
  readonly rewards: readonly number[];
  /** The grader's reward; a node with 0 or less has failed. */
  readonly raw: readonly number[];
  /** -1: a first attempt. */
  readonly parents: readonly number[];
  /** Who wrote each. */
  readonly agents: readonly (string | number)[];
};

/** MARTI's --reward_clip_range. */
const MAX_ADVANTAGE = 10;
/** As in MARTI: keeps groups of nearly equal rewards finite. */
const STD_EPSILON = 1e-9;
/** Rewards closer than this are equal up to rounding. */
const ROUNDING = 1e-12;
/** Advantages this small count as 0. */
const NEGLIGIBLE = 1e-6;

/**
 * The advantage of every node: by how many standard deviations (divisor n - 1) its reward is above the mean of its
 * group, clipped to [-10, 10]. One array per tree, in the order of the nodes (docs/training.md, "Advantage"). It is 0
 * in a group of one node or of equal rewards. If no node of a group passes, `allWrongAdvantage` is added.
 *
 * With the group "batch" all given trees form one group; pass the samples of one update as one tree.
 */
export function groupAdvantages(
  trees: readonly RewardedTree[],
  { group, allWrongAdvantage }: Pick<Objective, 'group' | 'allWrongAdvantage'>,
): number[][] {
  const advantages = trees.map(({ rewards }) => rewards.map(() => 0));
  for (const members of groupsOf(trees, group)) {
    const rewards = members.map(({ tree, node }) => trees[tree]?.rewards[node] as number);
    const isAllWrong = members.every(({ tree, node }) => (trees[tree]?.raw[node] as number) <= 0);
    const shift = isAllWrong ? allWrongAdvantage : 0;
    normalised(rewards).forEach((advantage, i) => {
      const { tree, node } = members[i] as NodeRef;
      (advantages[tree] as number[])[node] = Math.min(
        MAX_ADVANTAGE,
        Math.max(-MAX_ADVANTAGE, advantage + shift),
      );
    });
  }
  return advantages;
}

/** Share of samples, 0 to 1, without effect because their advantage is 0; without samples: 0. */
export function zeroAdvantageShare(advantages: readonly number[]): number {
  if (advantages.length === 0) return 0;
  return advantages.filter((advantage) => Math.abs(advantage) <= NEGLIGIBLE).length / advantages.length;
}

type NodeRef = { readonly tree: number; readonly node: number };

function groupsOf(trees: readonly RewardedTree[], group: Objective['group']): Iterable<NodeRef[]> {
  const groups = new Map<unknown, NodeRef[]>();
  trees.forEach((nodes, tree) => {
    checkLengths(nodes);
    nodes.rewards.forEach((_, node) => {
      const key = keyOf(nodes, tree, node, group);
      const members = groups.get(key);
      if (members === undefined) groups.set(key, [{ tree, node }]);
      else members.push({ tree, node });
    });
  });
  return groups.values();
}

function keyOf(
  { agents, parents }: RewardedTree,
  tree: number,
  node: number,
  group: Objective['group'],
): unknown {
  switch (group) {
    case 'tree':
      return tree;
    case 'agent':
      return `${tree} ${agents[node]}`;
    case 'siblings':
      return `${tree} ${parents[node]}`;
    case 'batch':
      return 'batch';
    default:
      return assertNever(group);
  }
}

function normalised(rewards: readonly number[]): number[] {
  const count = rewards.length;
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / count;
  const furthest = rewards.reduce((most, reward) => Math.max(most, Math.abs(reward - mean)), 0);
  if (count === 1 || furthest <= ROUNDING) return rewards.map(() => 0);
  const squares = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0);
  const spread = Math.sqrt(squares / (count - 1));
  return rewards.map((reward) => (reward - mean) / (spread + STD_EPSILON));
}

function checkLengths({ rewards, raw, parents, agents }: RewardedTree): void {
  if (
    raw.length !== rewards.length ||
    parents.length !== rewards.length ||
    agents.length !== rewards.length
  ) {
    throw new RangeError('Rewards, raw rewards, parents and agents of a tree must be equally many');
  }
}
