import type { Problem, RewardModel } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Stop } from './generation';

/** What a reward model says of a program: any finite number, the larger the better. */
export type ScoreReward = (
  problem: Problem,
  program: string,
  signal: Stop,
) => Promise<Result<number, { readonly message: string }>>;

/** The logistic function: any real number to (0, 1), 0 to one half. */
export function squashed(reward: number): number {
  // Of the two equal forms the one whose exponential can not overflow.
  if (reward >= 0) return 1 / (1 + Math.exp(-reward));
  const small = Math.exp(reward);
  return small / (1 + small);
}

/**
 * What the search is told of a node, in [0, 1]. `use: 'score'`: (1 - w) * public + w * squashed reward (our reading
 * of MARS²-T+'s reward guidance, docs/search.md), with nothing for a node without a program; `choice`, or no model:
 * the public score as it is.
 */
export function guidedScore(publicScore: number, reward: number | null, model: RewardModel | null): number {
  if (model === null || model.use === 'choice') return publicScore;
  const extra = reward === null ? 0 : squashed(reward);
  return Math.min(1, Math.max(0, (1 - model.weight) * publicScore + model.weight * extra));
}

/** A model that gives no finite number has failed. */
export async function finiteReward(
  score: ScoreReward,
  problem: Problem,
  program: string,
  signal: Stop,
): Promise<Result<number, { readonly message: string }>> {
  const reward = await score(problem, program, signal);
  if (!reward.ok || Number.isFinite(reward.value)) return reward.ok ? ok(reward.value) : reward;
  return failed({ message: `The reward model gave ${reward.value}, which is no finite number.` });
}
