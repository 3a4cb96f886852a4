import { z } from 'zod';
import { failed, ok, type Result } from '../../base/index';
import {
  type Adam,
  adam,
  addTraceGradient,
  checkpointOf,
  encodeCheckpoint,
  type PocketPolicy,
  type ReplySample,
  sampledReply,
  traceOf,
  traceProbabilities,
} from '../../pocket/index';
import type { GenerationFailure } from '../../search/index';
import { replaceFile } from '../../storage/index';
import type {
  EncodedSample,
  LogProbs,
  Policy,
  PolicyState,
  Sampled,
  ScoredBy,
  WriteRequest,
  Written,
} from '../policy';
import { withWriteErrors } from '../run-folder';
import { TrainerError } from '../trainer-error';
import { decodeFloats, encodeFloats } from './floats';

/** The choices that led to an answer. `program` is what the policy chose; a simulated slip may leave it out of the text. */
export type PocketTrace = Omit<ReplySample, 'symbols'>;

/** As in MARTI and the prototype: beta 0.9 and 0.95, gradients clipped to 1. */
const ADAM = { beta1: 0.9, beta2: 0.95, largestNorm: 1 } as const;

const floats = z.string();
/** Base64 of little-endian 64-bit floats, so that nothing is rounded. */
const stateSchema = z.strictObject({
  weights: floats,
  adam: z.strictObject({ mean: floats, square: floats, steps: z.number().int().nonnegative() }),
});

/** A pocket policy that learns in this process. Everything it does is done at once. */
export class PocketLearner implements Policy<PocketTrace> {
  readonly id: string;
  readonly hasReference = true;
  /** Its weights change with each step; answers are always written with the current ones. */
  readonly policy: PocketPolicy;
  /** Of the loss, accumulated since the last step, with the sign of an ascent. */
  readonly gradient: Float64Array;
  /** The pre-trained policy. */
  readonly #reference: PocketPolicy;
  /** What made it, for its checkpoints: the method. */
  readonly #source: string;
  #optimiser: Adam;
  /** With the current weights, by trace. */
  readonly #probabilities = new Map<PocketTrace, readonly Float64Array[]>();

  constructor(id: string, reference: PocketPolicy, source: string) {
    this.id = id;
    this.policy = { ...reference, weights: reference.weights.slice() };
    this.gradient = new Float64Array(reference.weights.length);
    this.#reference = reference;
    this.#source = source;
    this.#optimiser = adam(reference.weights.length, ADAM);
  }

  async write({
    agent,
    messages,
    seed,
    problemId,
  }: WriteRequest): Promise<Result<Written<PocketTrace>, GenerationFailure>> {
    const { temperature, topP } = agent.sampling;
    const { reply, sample } = sampledReply(this.policy, messages, { seed, temperature, topP });
    if (sample === null) return failed({ kind: 'server', message: `${problemId} cannot be parsed` });
    const { symbols, ...trace } = sample;
    const { promptTokens, completionTokens } = reply;
    const rollout = symbols.map(({ logProbability }) => logProbability);
    return ok({ answer: reply.text, promptTokens, completionTokens, trace, rollout });
  }

  async score(traces: readonly PocketTrace[], by: ScoredBy): Promise<readonly LogProbs[]> {
    return traces.map((trace) => {
      const probabilities =
        by === 'now' ? this.#current(trace) : traceProbabilities(this.#reference, trace.trace);
      return trace.trace.map(({ symbol }, t) => Math.log(probabilities[t]?.[symbol] as number));
    });
  }

  async backward(traces: readonly PocketTrace[], slopes: readonly LogProbs[]): Promise<void> {
    for (const [i, trace] of traces.entries()) {
      // Ascent direction: opposite to the loss.
      const ascent = Float64Array.from(slopes[i] as LogProbs, (slope) => -slope);
      addTraceGradient(this.policy.family, trace.trace, this.#current(trace), ascent, this.gradient);
    }
  }

  async entropy(traces: readonly PocketTrace[]): Promise<number> {
    let [tokens, entropy] = [0, 0];
    for (const trace of traces) {
      tokens += trace.trace.length;
      for (const distribution of this.#current(trace)) entropy += entropyOf(distribution);
    }
    return entropy / tokens;
  }

  async step(rate: number): Promise<{ readonly gradientNorm: number }> {
    this.#probabilities.clear();
    return { gradientNorm: this.#optimiser.step(this.policy.weights, this.gradient, rate) };
  }

  /** Nothing to do: there is one copy of the weights. */
  async publish(): Promise<Readonly<Record<string, number>>> {
    return {};
  }

  async save(): Promise<PolicyState> {
    const { mean, square, steps } = this.#optimiser.state();
    return {
      weights: encodeFloats(this.policy.weights),
      adam: { mean: encodeFloats(mean), square: encodeFloats(square), steps },
    } satisfies z.output<typeof stateSchema>;
  }

  async restore(state: PolicyState): Promise<void> {
    const parsed = stateSchema.safeParse(state);
    if (!parsed.success) throw this.#damaged();
    const { weights, adam: moments } = parsed.data;
    this.policy.weights.set(this.#floats(weights));
    const from = {
      mean: this.#floats(moments.mean),
      square: this.#floats(moments.square),
      steps: moments.steps,
    };
    this.#optimiser = adam(this.policy.weights.length, { ...ADAM, from });
    this.#probabilities.clear();
  }

  async exportTo(path: string): Promise<void> {
    const updates = this.#optimiser.state().steps;
    const file = `${path}.json`;
    const text = encodeCheckpoint(checkpointOf(this.policy, this.#source, updates));
    await withWriteErrors(file, () => replaceFile(file, text));
  }

  readonly codec = {
    encode: ({ trace: { encoded, program }, rollout }: Sampled<PocketTrace>): EncodedSample => ({
      encoded,
      written: program,
      logProbabilities: Array.from(rollout),
    }),
    /** Only checked by the state's version: it is large, and written by us. */
    decode: (saved: EncodedSample): Sampled<PocketTrace> => {
      const { encoded, written, logProbabilities } = saved as {
        readonly encoded: PocketTrace['encoded'];
        readonly written: PocketTrace['program'];
        readonly logProbabilities: readonly number[];
      };
      const trace = traceOf(this.policy.family, encoded, written);
      return { trace: { encoded, program: written, trace }, rollout: logProbabilities };
    },
  };

  /** Kept until the next step: an update scores, then goes backward through the same places. */
  #current(trace: PocketTrace): readonly Float64Array[] {
    const cached = this.#probabilities.get(trace);
    if (cached !== undefined) return cached;
    const probabilities = traceProbabilities(this.policy, trace.trace);
    this.#probabilities.set(trace, probabilities);
    return probabilities;
  }

  #floats(text: string): Float64Array {
    const numbers = decodeFloats(text, this.policy.weights.length);
    if (numbers === null) throw this.#damaged();
    return numbers;
  }

  #damaged(): TrainerError {
    return new TrainerError({
      code: 'bad-input',
      message: `The saved weights of ${this.id} are damaged: expected ${this.policy.weights.length} numbers.`,
      hint: 'Delete state.json to start over.',
    });
  }
}

/** In nats. */
function entropyOf(probabilities: Float64Array): number {
  let sum = 0;
  for (const p of probabilities) if (p > 0) sum -= p * Math.log(p);
  return sum;
}
