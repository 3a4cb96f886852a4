import type { TokenSample } from '../learner-bodies';
import type { LearnerClient, TokenSampling } from '../learner-client';
import type { EngineAnswer } from './engine-client';

/** What is logged of a publication, by canonical key. */
export type PublishValues = Readonly<Record<string, number>>;

/** Where an agent's answers are written: by its learner, or by an inference engine that takes over its weights. */
export type Writer = {
  readonly sample: (
    prompt: Int32Array,
    sampling: TokenSampling,
    signal: AbortSignal,
  ) => Promise<EngineAnswer>;
  /** Tokens of prompt and answer together that it takes. */
  readonly contextTokens: number;
  /**
   * Learning begins, on these samples among others: nothing is asked to be written before `publish`. May be called
   * several times between two publications.
   */
  readonly rest: (samples: readonly TokenSample[]) => Promise<void>;
  /** Later answers are by the learner's current weights. */
  readonly publish: () => Promise<PublishValues>;
  readonly dispose: () => Promise<void>;
};

/** The learner writes with the weights that it trains: nothing needs to be published. */
export function learnerWriter(client: LearnerClient, contextTokens: number): Writer {
  return {
    sample: (prompt, sampling, signal) => client.sample(prompt, sampling, signal),
    contextTokens,
    rest: () => Promise.resolve(),
    publish: () => Promise.resolve({}),
    dispose: () => Promise.resolve(),
  };
}
