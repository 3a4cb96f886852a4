import type { Grade, Problem, RewardModel, SearchOptions } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Stop } from './generation';

/** Share of the public tests passed, or 1 only when all pass; 0 where there are none. */
export function scoreOf(grade: Grade, publicTests: number, score: SearchOptions['score']): number {
  if (publicTests === 0) return 0;
  const passed = grade.results.filter((result) => result.verdict === 'passed').length;
  if (score === 'fraction') return passed / publicTests;
  return grade.verdict === 'passed' && passed === publicTests ? 1 : 0;
}

/** A reward model: any finite number for a program, the larger the better. */
export type RewardFunction = (
  problem: Problem,
  program: string,
  signal: Stop,
) => Promise<Result<number, { readonly message: string }>>;

/** The logistic function. */
export function squashed(reward: number): number {
  // Of two equal forms this chooses the one without overflow.
  if (reward >= 0) return 1 / (1 + Math.exp(-reward));
  const small = Math.exp(reward);
  return small / (1 + small);
}

/**
 * The score that the search sees, in [0, 1]. `use: 'score'`: (1 - w) * public + w * squashed reward (our reading of
 * MARS²-T+'s reward guidance, docs/search.md), with 0 for a node without a program; `choice`, or no model: the public
 * score.
 */
export function guidedScore(publicScore: number, reward: number | null, model: RewardModel | null): number {
  if (model === null || model.use === 'choice') return publicScore;
  const extra = reward === null ? 0 : squashed(reward);
  return Math.min(1, Math.max(0, (1 - model.weight) * publicScore + model.weight * extra));
}

/** Calls a reward model; a number that is not finite is a failure. */
export async function finiteReward(
  score: RewardFunction,
  problem: Problem,
  program: string,
  signal: Stop,
): Promise<Result<number, { readonly message: string }>> {
  const reward = await score(problem, program, signal);
  if (!reward.ok || Number.isFinite(reward.value)) return reward.ok ? ok(reward.value) : reward;
  return failed({ message: `The reward model returned ${reward.value}, which is not a finite number.` });
}
