import type { Result } from '../base/index';
import type { Generated, GenerationFailure, GenerationRequest } from '../search/index';

/** Natural log-probabilities, one per token of an answer that the policy chose. */
export type LogProbs = ArrayLike<number>;

/** An answer as its policy learns from it. */
export type Sampled<Trace> = {
  /** What the policy needs to score its answer again, e.g. token ids; opaque to the training loop. */
  readonly trace: Trace;
  /** Of the policy when it wrote the answer, at temperature 1. */
  readonly rollout: LogProbs;
};

export type Written<Trace> = Generated & Sampled<Trace>;

/** `signal` ends the request: the policy then answers with the failure "stopped". */
export type WriteRequest = Omit<GenerationRequest, 'signal'> & { readonly signal: AbortSignal };

/**
 * now: with the current weights; reference: with those from before all training.
 */
export type ScoredBy = 'now' | 'reference';

/**
 * State of a policy between two updates, as fields of a JSON object: a pocket policy's weights and moments, or the name
 * of what a learner has saved. Its names must not be `id`, `updates` or `share`, beside which it is stored.
 */
export type PolicyState = Readonly<Record<string, unknown>>;

/** A sample as fields of a JSON object; their names must not be those of the loop's own (`SampleFields`). */
export type EncodedSample = Readonly<Record<string, unknown>>;

/**
 * An agent's policy, as the training loop uses it: it writes answers, scores them, and takes gradients of a loss that
 * the loop has computed. One update is score (now, and reference), backward for all samples, then step; the loop makes
 * no two of these calls at once. `write` may be called many times at once, but never during an update.
 *
 * Methods other than `write` throw TrainerError when the policy is lost.
 */
export type Policy<Trace> = {
  /** The agent's. */
  readonly id: string;
  /** Answers with the weights of the last `publish`. */
  readonly write: (request: WriteRequest) => Promise<Result<Written<Trace>, GenerationFailure>>;
  /** false: it cannot score by `reference`. The objective must then have no divergence from it. */
  readonly hasReference: boolean;
  /** Without a gradient; one array per trace. */
  readonly score: (traces: readonly Trace[], by: ScoredBy) => Promise<readonly LogProbs[]>;
  /**
   * Adds to the gradient of the loss, to be used and cleared by the next `step`. `slopes`: dL/dlogp of each token of each
   * trace at the current weights. May be called several times with parts of a batch.
   */
  readonly backward: (traces: readonly Trace[], slopes: readonly LogProbs[]) => Promise<void>;
  /** Mean over all tokens of the traces with the current weights, in nats; null: this policy does not compute it. */
  readonly entropy: (traces: readonly Trace[]) => Promise<number | null>;
  /**
   * One optimiser step down the accumulated gradient. The norm is the one before clipping; `values`: what else is to be
   * logged of it, by canonical key.
   */
  readonly step: (
    rate: number,
  ) => Promise<{ readonly gradientNorm: number; readonly values?: Readonly<Record<string, number>> }>;
  /**
   * Later answers are written with the current weights. Called after the updates of a round, before the next tree. Gives
   * what is to be logged of it, by canonical key.
   */
  readonly publish: () => Promise<Readonly<Record<string, number>>>;
  /** State after the last `step`; kept until the `save` after the next one, so that a kill in between loses nothing. */
  readonly save: () => Promise<PolicyState>;
  /** Continues from the state of an earlier session, and publishes it. Called before anything else, if at all. */
  readonly restore: (state: PolicyState) => Promise<void>;
  /** Writes a checkpoint that a model server can load. `path` has no ending: a file adds one, a folder does not. */
  readonly exportTo: (path: string) => Promise<void>;
  /** How samples are kept in the saved state while they wait for their update. */
  readonly codec: {
    readonly encode: (sample: Sampled<Trace>) => EncodedSample;
    /** Takes what `encode` gave, possibly with other fields. */
    readonly decode: (encoded: EncodedSample) => Sampled<Trace>;
  };
};
