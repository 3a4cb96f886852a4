import { klEstimate } from './kl';
import { policyTerm } from './policy-term';
import type { LossObjective, Sequence } from './sequence';

export type SequenceLoss = {
  readonly loss: number;
  /** Derivative of the loss by each token's current log-probability. */
  readonly slopes: Float64Array;
  /**
   * Share of tokens, 0 to 1, whose ratio was clipped; with sequence ratios, either all tokens of a sequence or none.
   */
  readonly clipped01: number;
  /** Mean estimate over the tokens, without its coefficient. */
  readonly kl: number;
  /** Ratio of the sequence; with token ratios, their mean. */
  readonly ratio: number;
  /** Share of tokens, 0 to 1, in sequences without a gradient because one of their tokens was vetoed. */
  readonly vetoed01: number;
  /** Share of tokens, 0 to 1, with an importance weight reduced to the cap. */
  readonly capped01: number;
};

/** Numbers of sequences and tokens of a batch; the loss divides by them. */
export type BatchTotals = { readonly sequences: number; readonly tokens: number };

export type BatchLoss = Omit<SequenceLoss, 'slopes'> & {
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
 * The loss of an update's samples: minus the mean over the sequences of clipped, weighted ratio times advantage, plus
 * the coefficient times the mean divergence over all tokens of the batch. With the `totals` of a whole batch, the
 * result is the part of these sequences in the batch's loss, slopes and shares. Throws for a batch without sequences or
 * a sequence without tokens.
 */
export function batchLoss(
  sequences: readonly Sequence[],
  objective: LossObjective,
  totals: BatchTotals = totalsOf(sequences),
): BatchLoss {
  if (sequences.length === 0) throw new RangeError('A loss needs a sequence');
  const { estimator, coefficient } = objective.kl;
  const { tokens } = totals;
  let [policyLoss, klSum, clipped, ratioSum, vetoed, capped] = [0, 0, 0, 0, 0, 0];
  const slopes = sequences.map((sequence) => {
    const term = policyTerm(sequence, objective);
    policyLoss += term.loss / totals.sequences;
    ratioSum += term.ratio;
    clipped += term.clippedTokens;
    vetoed += term.vetoedTokens;
    capped += term.cappedTokens;
    return term.slopes.map((slope, t) => {
      const { current, reference } = sequence;
      const kl = klEstimate((current[t] as number) - (reference[t] as number), estimator);
      klSum += kl.value;
      return slope / totals.sequences + (coefficient * kl.slope) / tokens;
    });
  });
  return {
    loss: policyLoss + (coefficient * klSum) / tokens,
    policyLoss,
    kl: klSum / tokens,
    clipped01: clipped / tokens,
    ratio: ratioSum / totals.sequences,
    vetoed01: vetoed / tokens,
    capped01: capped / tokens,
    slopes,
  };
}

/** Throws for a sequence without tokens. */
export function totalsOf(sequences: readonly Sequence[]): BatchTotals {
  return {
    sequences: sequences.length,
    tokens: sequences.reduce((sum, sequence) => sum + lengthOf(sequence), 0),
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
