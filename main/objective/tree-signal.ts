import type { Objective } from '../../preload/contract';
import { groupAdvantages } from './advantages';
import { overlongPenalty } from './penalty-and-filter';
import { shapeRewards } from './reward-shaping';

/** A tree as it was searched and graded, by its nodes' index. */
export type GradedTree = {
  readonly raw: readonly number[];
  /** -1: a first attempt; else before its children. */
  readonly parents: readonly number[];
  readonly agents: readonly (string | number)[];
  /** Of each answer. */
  readonly tokens: readonly number[];
};

/** The training signal of each node: its reward after shaping and penalty, and its advantage. */
export type TreeSignal = { readonly shaped: readonly number[]; readonly advantages: readonly number[] };

/**
 * Computes the training signal of a round's trees, one signal per tree, in the order of MARTI's code: shaping, then the
 * penalty on top of the shaped reward, then the advantage within the group. Filter the trees first (`keepsTree`).
 */
export function treeSignals(trees: readonly GradedTree[], objective: Objective): TreeSignal[] {
  const rewarded = trees.map(({ raw, parents, agents, tokens }) => {
    const rewards = shapeRewards(parents, raw, objective.shaping).map(
      (reward, node) => reward + overlongPenalty(tokens[node] as number, objective.overlong),
    );
    return { rewards, raw, parents, agents };
  });
  const advantages = groupAdvantages(rewarded, objective);
  return rewarded.map(({ rewards }, tree) => ({ shaped: rewards, advantages: advantages[tree] as number[] }));
}
