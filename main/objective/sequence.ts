import type { Objective } from '../../preload/contract';

/** The fields of an objective that the loss uses. */
export type LossObjective = Pick<Objective, 'ratio' | 'ratioAgainst' | 'clip' | 'importanceCap' | 'kl'>;

/** An answer to learn from: natural logarithms of its tokens' probabilities, and its advantage. */
export type Sequence = {
  /** By the policy that is being trained. */
  readonly current: ArrayLike<number>;
  /** By the same policy before the update. */
  readonly old: ArrayLike<number>;
  /** As reported while the answer was written; another engine may round differently. */
  readonly rollout: ArrayLike<number>;
  /** By the policy before any training. */
  readonly reference: ArrayLike<number>;
  readonly advantage: number;
};
