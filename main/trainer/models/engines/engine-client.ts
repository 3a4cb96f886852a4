import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { counted, type Disposable, parsedJson } from '../../../base/index';
import { TrainerError } from '../../trainer-error';
import type { TokenSample } from '../learner-bodies';
import type { SampledTokens, TokenSampling } from '../learner-client';
import { requestJson, type ServerAddress } from '../request-json';

export type EngineAnswer = Omit<SampledTokens, 'updates'>;

/** What the trainer asks of an inference engine. Throws TrainerError; rejects with AbortError when `signal` aborts. */
export type EngineClient = Disposable & {
  /** One answer, token ids in and out, with the log-probabilities at temperature 1 of the weights that wrote it. */
  readonly sample: (
    prompt: Int32Array,
    sampling: TokenSampling,
    signal: AbortSignal,
  ) => Promise<EngineAnswer>;
  /** Natural log-probability of each token of each answer, read again and not through the engine's cache. */
  readonly score: (samples: readonly TokenSample[]) => Promise<readonly Float32Array[]>;
  /** How many tokens of a prompt it took from its cache when it was asked just now; null: it does not say. */
  readonly cachedTokens: (prompt: Int32Array) => Promise<number | null>;
  /** It has loaded its model. */
  readonly isReady: () => Promise<boolean>;
};

/** Requests of one kind at once; engines batch what they are asked together. */
const SCORES_AT_ONCE = 16;
/** For a request other than an answer to a problem; one that waits longer is a fault. */
export const CONTROL_LIMIT_MS = 600_000;
const END_NOTICE_MS = 500;

/** Asks an engine that runs; `ended` says why it does not any more. */
export class EngineHttp {
  readonly name: string;
  readonly #address: ServerAddress;
  /** A connection each: engines close idle ones, and a request that was sent on such a one would be lost. */
  readonly #agent = new Agent();
  readonly #ended: () => string | null;
  readonly #limitMs: number;

  constructor(options: {
    /** Of the agent, for messages. */
    readonly name: string;
    readonly address: ServerAddress;
    readonly ended: () => string | null;
    readonly limitMs?: number;
  }) {
    this.name = options.name;
    this.#address = options.address;
    this.#ended = options.ended;
    this.#limitMs = options.limitMs ?? CONTROL_LIMIT_MS;
  }

  /** Status and parsed body (undefined: no JSON); a GET without a body. */
  async send(path: string, body: unknown, signal?: AbortSignal): Promise<{ status: number; data: unknown }> {
    const limit = signal ?? AbortSignal.timeout(this.#limitMs);
    try {
      const { status, body: text } = await requestJson(this.#address, this.#agent, path, body, limit);
      return { status, data: parsedJson(text) };
    } catch (error) {
      if (signal?.aborted) throw error;
      if (limit.aborted)
        throw this.error(`did not answer ${path} within ${Math.round(this.#limitMs / 1_000)} s`);
      // The connection breaks a moment before the process is known to have ended.
      if (this.#ended() === null) await pause(END_NOTICE_MS);
      const reason = this.#ended();
      const why = reason === null ? (error as Error).message : `it has ended: ${reason}`;
      throw this.error(`cannot be reached: ${why}`);
    }
  }

  /** The answer of a request that must succeed. */
  async ask<T>(path: string, body: unknown, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> {
    const { status, data } = await this.send(path, body, signal);
    if (status !== 200) throw this.error(`refused ${path} with status ${status}: ${excerpt(data)}`);
    const answer = schema.safeParse(data);
    if (answer.success) return answer.data;
    const field = answer.error.issues[0]?.path.map(String).join('.') ?? '';
    throw this.error(`answered ${path} without a valid "${field}"`);
  }

  error(problem: string): TrainerError {
    return new TrainerError({
      code: 'unavailable',
      message: `The engine of ${this.name} ${problem}`,
      hint: 'See the training’s log, then resume: it continues from its last saved state.',
    });
  }

  dispose(): void {
    this.#agent.destroy();
  }
}

/** Prompt and answer as one list of ids. */
export function allIds({ prompt, tokens }: TokenSample): number[] {
  return [...prompt, ...tokens];
}

/** Scores samples a few at a time, in order. */
export async function scoreAll(
  samples: readonly TokenSample[],
  score: (sample: TokenSample) => Promise<Float32Array>,
): Promise<readonly Float32Array[]> {
  const scores: Float32Array[] = [];
  for (let at = 0; at < samples.length; at += SCORES_AT_ONCE)
    scores.push(...(await Promise.all(samples.slice(at, at + SCORES_AT_ONCE).map(score))));
  return scores;
}

/** Ids and log-probabilities of an answer, or what is wrong with them. */
export function checkedAnswer(
  ids: readonly number[],
  logs: readonly (number | null)[],
  maxTokens: number,
): { readonly tokens: Int32Array; readonly logProbabilities: Float32Array } | string {
  if (ids.length === 0 || ids.length > maxTokens)
    return `${counted(ids.length, 'token')} where ${maxTokens} were allowed`;
  if (logs.length !== ids.length)
    return `${counted(ids.length, 'token')} with ${counted(logs.length, 'log-probability', 'log-probabilities')}`;
  const bad = logs.find((log) => log === null || !(log <= 1e-3 && log > -1e4));
  if (bad !== undefined) return `the log-probability ${bad}`;
  return { tokens: Int32Array.from(ids), logProbabilities: Float32Array.from(logs as number[]) };
}

function excerpt(data: unknown): string {
  return (JSON.stringify(data) ?? 'no JSON').slice(0, 400);
}
