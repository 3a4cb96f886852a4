import { klEstimate } from './kl';
import { policyTerm } from './policy-term';
import type { LossObjective, Sequence } from './sequence';

export type SequenceLoss = {
  readonly loss: number;
  /** Derivative of the loss by each token's current log-probability. */
  readonly slopes: Float64Array;
  /** Share of tokens, 0 to 1, whose ratio was clipped; with sequence ratios all or none of a sequence. */
  readonly clipped01: number;
  /** Mean estimate over the tokens, without its coefficient. */
  readonly kl: number;
  /** Ratio of the sequence; with token ratios, their mean. */
  readonly ratio: number;
};

export type BatchLoss = Pick<SequenceLoss, 'loss' | 'clipped01' | 'kl' | 'ratio'> & {
  /** The loss without the divergence. */
  readonly policyLoss: number;
  /** One array per sequence, derivatives of the loss of the whole batch. */
  readonly slopes: readonly Float64Array[];
};

/** The loss of a batch of this one sequence (docs/training.md, "Loss"). */
export function sequenceLoss(sequence: Sequence, objective: LossObjective): SequenceLoss {
  const { slopes, policyLoss: _, ...rest } = batchLoss([sequence], objective);
  return { ...rest, slopes: slopes[0] as Float64Array };
}

/**
 * The loss of an update's samples: minus the mean over the sequences of clipped, weighted ratio times advantage, plus the
 * coefficient times the mean divergence over all tokens of the batch. Throws for a batch without sequences or a sequence
 * without tokens.
 */
export function batchLoss(sequences: readonly Sequence[], objective: LossObjective): BatchLoss {
  if (sequences.length === 0) throw new RangeError('A loss needs a sequence');
  const { estimator, coefficient } = objective.kl;
  const tokens = sequences.reduce((sum, sequence) => sum + lengthOf(sequence), 0);
  let [policyLoss, klSum, clipped, ratioSum] = [0, 0, 0, 0];
  const slopes = sequences.map((sequence) => {
    const term = policyTerm(sequence, objective);
    policyLoss += term.loss / sequences.length;
    ratioSum += term.ratio;
    clipped += term.clippedTokens;
    return term.slopes.map((slope, t) => {
      const { current, reference } = sequence;
      const kl = klEstimate((current[t] as number) - (reference[t] as number), estimator);
      klSum += kl.value;
      return slope / sequences.length + (coefficient * kl.slope) / tokens;
    });
  });
  return {
    loss: policyLoss + (coefficient * klSum) / tokens,
    policyLoss,
    kl: klSum / tokens,
    clipped01: clipped / tokens,
    ratio: ratioSum / sequences.length,
    slopes,
  };
}

function lengthOf({ current, old, rollout, reference }: Sequence): number {
  const tokens = current.length;
  if (tokens === 0) throw new RangeError('A sequence needs a token');
  if (old.length !== tokens || rollout.length !== tokens || reference.length !== tokens) {
    throw new RangeError('The log-probabilities of a sequence must be equally many');
  }
  return tokens;
}
