import { assertNever } from '../base';
import type { LossObjective, Sequence } from './sequence';

/** If the two engines' probability ratio of a token is below this, its sequence has no gradient (MARTI's veto). */
const VETO_RATIO = 1e-4;
/** Bound of a log ratio. Real samples never come near it; it keeps the result finite in any case. */
const MAX_LOG_RATIO = 20;

/** The term of one sequence in the policy's loss, before the mean over the batch. */
export type PolicyTerm = {
  readonly loss: number;
  readonly slopes: Float64Array;
  readonly clippedTokens: number;
  /** Number of tokens of a vetoed sequence, else 0. */
  readonly vetoedTokens: number;
  readonly cappedTokens: number;
  readonly ratio: number;
};

type ImportanceWeights = Pick<PolicyTerm, 'vetoedTokens' | 'cappedTokens'> & {
  readonly weights: Float64Array;
};

/** Minus the clipped ratio times the advantage, weighted by truncated importance sampling if that is on. */
export function policyTerm(sequence: Sequence, objective: LossObjective): PolicyTerm {
  switch (objective.ratio) {
    case 'sequence':
      return sequenceTerm(sequence, objective);
    case 'token':
      return tokenTerm(sequence, objective);
    default:
      return assertNever(objective.ratio);
  }
}

/**
 * GSPO (arXiv 2507.18071, equations 5 to 7). As in MARTI, with importance weights the ratio is relative to the engine
 * that wrote the answer, unless the objective sets the old policy.
 */
function sequenceTerm(sequence: Sequence, objective: LossObjective): PolicyTerm {
  const { current, old, rollout, advantage } = sequence;
  const tokens = current.length;
  const isAgainstOld = objective.importanceCap === null || objective.ratioAgainst === 'old';
  const behaviour = isAgainstOld ? old : rollout;
  let logRatio = 0;
  for (let t = 0; t < tokens; t++) logRatio += (current[t] as number) - (behaviour[t] as number);
  const ratio = ratioOf(logRatio / tokens);
  const { value, slope, isClipped } = clipped(ratio, advantage, objective.clip);
  const { weights, ...counts } = importanceWeights(sequence, objective.importanceCap);
  const weight = weights.reduce((sum, weight) => sum + weight, 0) / tokens;
  return {
    loss: -value * weight,
    // d ratio / d log-probability of one token = ratio / tokens
    slopes: new Float64Array(tokens).fill((-slope * weight * ratio) / tokens),
    clippedTokens: isClipped ? tokens : 0,
    ...counts,
    ratio,
  };
}

/** PPO (arXiv 1707.06347, equation 7) with GRPO's mean over the tokens of a sequence (arXiv 2402.03300, equation 3). */
function tokenTerm(sequence: Sequence, objective: LossObjective): PolicyTerm {
  const { current, old, advantage } = sequence;
  const tokens = current.length;
  const { weights, ...counts } = importanceWeights(sequence, objective.importanceCap);
  const slopes = new Float64Array(tokens);
  let [loss, clippedTokens, ratioSum] = [0, 0, 0];
  for (let t = 0; t < tokens; t++) {
    const ratio = ratioOf((current[t] as number) - (old[t] as number));
    const weight = (weights[t] as number) / tokens;
    const { value, slope, isClipped } = clipped(ratio, advantage, objective.clip);
    loss -= value * weight;
    slopes[t] = -slope * weight * ratio;
    ratioSum += ratio;
    if (isClipped) clippedTokens += 1;
  }
  return { loss, slopes, clippedTokens, ...counts, ratio: ratioSum / tokens };
}

function ratioOf(logRatio: number): number {
  return Math.exp(Math.min(MAX_LOG_RATIO, logRatio));
}

/** The smaller of ratio * advantage with and without clipping, and its derivative by the ratio. */
function clipped(
  ratio: number,
  advantage: number,
  { low, high }: LossObjective['clip'],
): { value: number; slope: number; isClipped: boolean } {
  if (advantage === 0) return { value: 0, slope: 0, isClipped: false };
  const cut = Math.min(1 + high, Math.max(1 - low, ratio));
  const isClipped = cut * advantage < ratio * advantage;
  return isClipped
    ? { value: cut * advantage, slope: 0, isClipped }
    : { value: ratio * advantage, slope: advantage, isClipped };
}

/** min(old / rollout, cap) per token; all 0 if one token is vetoed. They are constants for the gradient. */
function importanceWeights({ old, rollout }: Sequence, cap: number | null): ImportanceWeights {
  const weights = new Float64Array(old.length).fill(1);
  if (cap === null) return { weights, vetoedTokens: 0, cappedTokens: 0 };
  let cappedTokens = 0;
  for (let t = 0; t < old.length; t++) {
    const engines = Math.exp((old[t] as number) - (rollout[t] as number));
    if (engines < VETO_RATIO) return { weights: weights.fill(0), vetoedTokens: old.length, cappedTokens: 0 };
    weights[t] = Math.min(engines, cap);
    if (engines > cap) cappedTokens += 1;
  }
  return { weights, vetoedTokens: 0, cappedTokens };
}
