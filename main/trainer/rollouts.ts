import type { Rollout } from '../../preload/contract/index';
import type { CreditedTree } from './sample';

/** All nodes of a tree, to be read. `steps`: updates of each learner when they wrote. */
export function rolloutsOf(
  { tree, signal }: CreditedTree,
  steps: Readonly<Record<string, number>>,
  knowsAdvantages: boolean,
): readonly Rollout[] {
  return tree.nodes.map(
    ({ learnerId, parent, messages, answer, passes }, node): Rollout => ({
      agentId: learnerId,
      step: steps[learnerId] as number,
      problemId: tree.problem.id,
      node,
      parent,
      prompt: messages.map(({ content }) => content).join('\n\n'),
      answer,
      reward: passes ? 1 : 0,
      shapedReward: signal?.shaped[node] ?? null,
      advantage: knowsAdvantages ? (signal?.advantages[node] ?? null) : null,
    }),
  );
}
