import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { ChatMessage } from '../../../preload/contract/index';
import { counted, type Disposable, parsedJson } from '../../base/index';
import type { ScoredBy } from '../policy';
import { TrainerError } from '../trainer-error';
import { chunk, forwardInput, isZero, onesOf, partsOf, type TokenSample } from './learner-bodies';
import { type HttpAnswer, requestJson, type ServerAddress } from './request-json';
import { readFloats, readIds, type Tensor } from './tensor';
import {
  capabilitiesSchema,
  exportedSchema,
  forwardSchema,
  type LearnerCapabilities,
  refusedSchema,
  renderedSchema,
  sampledSchema,
  savedSchema,
  stepSchema,
} from './wire';

export type SampledTokens = {
  readonly tokens: Int32Array;
  /** Natural, one per token, of the weights that wrote it. */
  readonly logProbabilities: Float32Array;
  readonly text: string;
  readonly end: 'stop' | 'length';
  /** Updates in the weights that wrote it. */
  readonly updates: number;
};

export type TokenSampling = {
  readonly maxTokens: number;
  /** In [0, 2^31). */
  readonly seed: number;
  readonly temperature: number;
  readonly topP: number;
  /** -1: no limit. */
  readonly topK: number;
};

export type AdamStep = {
  readonly rate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
  /** The gradient is scaled down to this norm. */
  readonly largestNorm: number;
};

/** Waits before a request whose answer was lost is sent again, in milliseconds. */
const RETRY_PAUSES_MS = [200, 1_000, 3_000] as const;

/**
 * One learner over its wire (resources/learner/README.md). Requests that change it carry a growing number, so that one
 * whose answer was lost can be sent again without being done twice. Throws TrainerError.
 */
export class LearnerClient implements Disposable {
  readonly #name: string;
  readonly #address: ServerAddress;
  readonly #agent = new Agent({ keepAlive: true });
  /** Why the process has ended; null: it runs. */
  readonly #ended: () => string | null;
  #sequence = 0;
  /** Requests that change the learner, one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: {
    /** Of the agent, for messages. */
    readonly name: string;
    readonly address: ServerAddress;
    readonly ended?: () => string | null;
  }) {
    this.#name = options.name;
    this.#address = options.address;
    this.#ended = options.ended ?? (() => null);
  }

  capabilities(): Promise<LearnerCapabilities> {
    return this.#ask('get_server_capabilities', {}, capabilitiesSchema);
  }

  /** Token ids of a conversation by the model's own template, ready for its answer. */
  async render(
    messages: readonly ChatMessage[],
    template: Readonly<Record<string, unknown>>,
  ): Promise<Int32Array> {
    const { tokens } = await this.#ask(
      'render',
      { messages, template, add_generation_prompt: true, encoding: 'base64' },
      renderedSchema,
    );
    return this.#whole(readIds(tokens));
  }

  /** One answer by the current weights. Rejects with AbortError when `signal` aborts. */
  async sample(prompt: Int32Array, sampling: TokenSampling, signal: AbortSignal): Promise<SampledTokens> {
    const { maxTokens, seed, temperature, topP, topK } = sampling;
    const answer = await this.#ask(
      'asample',
      {
        prompt: { chunks: [chunk(prompt)] },
        num_samples: 1,
        sampling_params: { max_tokens: maxTokens, seed, temperature, top_p: topP, top_k: topK },
        encoding: 'base64',
      },
      sampledSchema,
      signal,
    );
    const [sequence] = answer.sequences;
    if (sequence === undefined) throw this.#broken('no answer');
    const tokens = this.#whole(readIds(sequence.tokens));
    const logProbabilities = this.#whole(readFloats(sequence.logprobs));
    if (tokens.length === 0 || logProbabilities.length !== tokens.length)
      throw this.#broken(
        `${counted(tokens.length, 'token')} with ${counted(logProbabilities.length, 'log-probability', 'log-probabilities')}`,
      );
    return {
      tokens,
      logProbabilities,
      text: sequence.text,
      end: sequence.stop_reason,
      updates: answer.updates,
    };
  }

  /** Natural log-probability of each token of each answer. */
  async score(samples: readonly TokenSample[], by: ScoredBy): Promise<readonly Float32Array[]> {
    const scores: Float32Array[] = [];
    for (const part of partsOf(samples)) {
      const body = { ...forwardInput(part, onesOf), by, encoding: 'base64' };
      const { loss_fn_outputs } = await this.#ask('forward', body, forwardSchema);
      if (loss_fn_outputs.length !== part.length)
        throw this.#broken(counted(loss_fn_outputs.length, 'score'));
      part.forEach((sample, i) => {
        const all = this.#whole(readFloats((loss_fn_outputs[i] as { logprobs: Tensor }).logprobs));
        // One score for each target; those of the prompt were not asked for.
        if (all.length !== sample.prompt.length + sample.tokens.length - 1)
          throw this.#broken(counted(all.length, 'log-probability', 'log-probabilities'));
        scores.push(all.subarray(sample.prompt.length - 1));
      });
    }
    return scores;
  }

  /**
   * Adds the gradient of a loss to what is accumulated. `slopes`: derivatives of the loss by the log-probability of each
   * token of each answer. Samples whose slopes are all 0 are not sent.
   */
  async backward(samples: readonly TokenSample[], slopes: readonly ArrayLike<number>[]): Promise<void> {
    const slopesOf = new Map(samples.map((sample, i) => [sample, slopes[i] as ArrayLike<number>]));
    const used = samples.filter((sample) => !isZero(slopesOf.get(sample) as ArrayLike<number>));
    for (const part of partsOf(used)) {
      // The learner descends the sum of -logp * weight.
      const body = forwardInput(part, (sample) =>
        Float32Array.from(slopesOf.get(sample) as ArrayLike<number>, (slope) => -slope),
      );
      await this.#change('forward_backward', { ...body, encoding: 'base64' }, forwardSchema);
    }
  }

  /** Forgets the accumulated gradient, of an update that was cut off. */
  async forgetGradient(): Promise<void> {
    await this.#change('zero_grad', {}, null);
  }

  /** One optimiser step along the accumulated gradient. */
  async step(adam: AdamStep): Promise<{
    readonly gradientNorm: number;
    readonly updates: number;
    readonly peakMemoryBytes: number;
  }> {
    const { metrics } = await this.#change(
      'optim_step',
      {
        adam_params: {
          learning_rate: adam.rate,
          beta1: adam.beta1,
          beta2: adam.beta2,
          eps: adam.epsilon,
          weight_decay: adam.weightDecay,
          grad_clip_norm: adam.largestNorm,
        },
      },
      stepSchema,
    );
    return {
      gradientNorm: metrics.grad_norm,
      updates: metrics.updates,
      peakMemoryBytes: metrics.peak_memory_bytes,
    };
  }

  /** Saves weights and optimiser, from which `load` continues. */
  save(name: string): Promise<{ readonly path: string; readonly bytes: number; readonly sha256: string }> {
    return this.#change('save_weights', { name }, savedSchema);
  }

  async load(name: string): Promise<void> {
    await this.#change('load_weights', { name }, null);
  }

  /** Writes an ordinary Hugging Face folder, or an adapter's. */
  async export(name: string): Promise<string> {
    return (await this.#change('save_weights_for_sampler', { name }, exportedSchema)).path;
  }

  dispose(): void {
    this.#agent.destroy();
  }

  /** A request that changes the learner: numbered, in turn, and sent again where its answer was lost. */
  #change<T>(operation: string, body: Record<string, unknown>, schema: z.ZodType<T> | null): Promise<T> {
    const next = this.#last.then(() => {
      this.#sequence += 1;
      return this.#ask(operation, { ...body, seq_id: this.#sequence }, schema);
    });
    this.#last = next.catch(() => undefined); // the caller gets the error; the next request is not held up by it
    return next;
  }

  async #ask<T>(
    operation: string,
    body: Record<string, unknown>,
    schema: z.ZodType<T> | null,
    signal?: AbortSignal,
  ): Promise<T> {
    const { status, body: text } = await this.#send(operation, body, signal);
    const data = parsedJson(text);
    if (status !== 200) {
      const refused = refusedSchema.safeParse(data);
      const reason = refused.success ? refused.data.error : `status ${status}`;
      throw this.#error(`The learner of ${this.#name} refused ${operation}: ${reason}`);
    }
    if (schema === null) return undefined as T;
    const answer = schema.safeParse(data);
    if (answer.success) return answer.data;
    const issue = answer.error.issues[0];
    throw this.#broken(`${operation} answered without a valid "${issue?.path.map(String).join('.') ?? ''}"`);
  }

  async #send(operation: string, body: unknown, signal: AbortSignal | undefined): Promise<HttpAnswer> {
    for (const waitMs of [...RETRY_PAUSES_MS, null]) {
      try {
        return await requestJson(this.#address, this.#agent, `/api/v1/${operation}`, body, signal);
      } catch (error) {
        if (signal?.aborted) throw error;
        const reason = this.#ended();
        if (reason !== null) throw this.#error(`The learner of ${this.#name} has ended: ${reason}`);
        if (waitMs === null)
          throw this.#error(`The learner of ${this.#name} cannot be reached: ${(error as Error).message}`);
        await pause(waitMs);
      }
    }
    throw new Error('Unreachable');
  }

  #whole<T>(tensor: T | null): T {
    if (tensor === null) throw this.#broken('an array of another type or length');
    return tensor;
  }

  #broken(problem: string): TrainerError {
    return this.#error(`The learner of ${this.#name} answered wrongly: ${problem}`);
  }

  #error(message: string): TrainerError {
    return new TrainerError({
      code: 'unavailable',
      message,
      hint: 'See the training’s log, then resume: it continues from its last saved state.',
    });
  }
}
