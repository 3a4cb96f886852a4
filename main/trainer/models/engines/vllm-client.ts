import { z } from 'zod';
import type { TrainerError } from '../../trainer-error';
import type { TokenSample } from '../learner-bodies';
import { allIds, checkedAnswer, type EngineClient, type EngineHttp, scoreAll } from './engine-client';

const id = z.number().int().nonnegative();

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        text: z.string(),
        finish_reason: z.string().nullable(),
        token_ids: z.array(id),
        prompt_token_ids: z.array(id),
        logprobs: z.object({ token_logprobs: z.array(z.number().nullable()) }),
      }),
    )
    .length(1),
});

/** Only what is read of it: an entry per token of the prompt, by the token's id; the first has no log-probability. */
const promptScoresSchema = z.object({
  choices: z
    .array(
      z.object({
        prompt_logprobs: z.array(z.record(z.string(), z.object({ logprob: z.number() })).nullable()),
      }),
    )
    .length(1),
});

const usageSchema = z.object({
  usage: z.object({ prompt_tokens_details: z.object({ cached_tokens: id.nullish() }).nullable() }),
});

const doneSchema = z.unknown();
const cacheResetSchema = z.object({ success: z.literal(true) });
const pausedSchema = z.object({ is_paused: z.boolean() });
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string(), root: z.string().nullable() })) });

/** Sampling that changes nothing of the model's own distribution, whatever its generation_config.json says. */
const NEUTRAL = { min_p: 0, repetition_penalty: 1, presence_penalty: 0, frequency_penalty: 0, n: 1 } as const;

export type VllmClient = EngineClient & {
  /** Answers come from this model or adapter from now on. */
  readonly use: (model: string) => void;
  /** Models and adapters that it serves: their names, and the folders that they were read from. */
  readonly models: () => Promise<readonly { readonly id: string; readonly root: string | null }[]>;
  readonly loadAdapter: (name: string, folder: string) => Promise<void>;
  readonly unloadAdapter: (name: string) => Promise<void>;
  /** Reads the weights again from a folder (vLLM's development routes). */
  readonly reload: (folder: string) => Promise<void>;
  /** false: it says that the cache was not dropped. */
  readonly dropCache: () => Promise<boolean>;
  readonly sleep: (level: 1 | 2) => Promise<void>;
  readonly wake: (part: 'weights' | 'kv_cache') => Promise<void>;
  readonly isPaused: () => Promise<boolean>;
  readonly resume: () => Promise<void>;
  /** That this engine did something wrong, as a sentence about it. */
  readonly failure: (problem: string) => TrainerError;
};

/**
 * vLLM over its OpenAI-compatible server; routes and fields as 0.32 has them. `endIds`: tokens that end an answer, by
 * the learner's tokenizer. Log-probabilities are vLLM's "raw" ones: before temperature and cuts.
 */
export function vllmClient(http: EngineHttp, model: string, endIds: readonly number[]): VllmClient {
  let used = model;
  const complete = <T>(fields: object, schema: z.ZodType<T>, signal?: AbortSignal): Promise<T> =>
    http.ask(
      '/v1/completions',
      { model: used, stop_token_ids: endIds, ...NEUTRAL, ...fields },
      schema,
      signal,
    );

  const scoreOne = async (sample: TokenSample): Promise<Float32Array> => {
    const prompt = allIds(sample);
    const { choices } = await complete({ prompt, max_tokens: 1, prompt_logprobs: 0 }, promptScoresSchema);
    const entries = choices[0]?.prompt_logprobs ?? [];
    return Float32Array.from(sample.tokens, (token, t) => {
      const log = entries[sample.prompt.length + t]?.[String(token)]?.logprob;
      if (log === undefined) throw http.error('scored a prompt without the tokens that it was asked for');
      return log;
    });
  };

  return {
    use: (name) => {
      used = name;
    },
    sample: async (prompt, { maxTokens, seed, temperature, topP, topK }, signal) => {
      const fields = {
        ...{ prompt: [...prompt], max_tokens: maxTokens, seed, temperature, top_p: topP, top_k: topK },
        ...{ logprobs: 0, return_token_ids: true, skip_special_tokens: true },
      };
      const { choices } = await complete(fields, completionSchema, signal);
      const choice = choices[0] as (typeof choices)[number];
      const { finish_reason: end, prompt_token_ids: echoed, text } = choice;
      if (end !== 'stop' && end !== 'length') throw http.error(`broke off an answer (${end})`);
      if (echoed.length !== prompt.length || echoed.some((token, t) => token !== prompt[t]))
        throw http.error('answered another prompt than the token ids that it was sent');
      const answer = checkedAnswer(choice.token_ids, choice.logprobs.token_logprobs, maxTokens);
      if (typeof answer === 'string') throw http.error(`answered with ${answer}`);
      return { ...answer, text, end };
    },
    score: (samples) => scoreAll(samples, scoreOne),
    cachedTokens: async (prompt) => {
      const { usage } = await complete({ prompt: [...prompt], max_tokens: 1 }, usageSchema);
      return usage.prompt_tokens_details === null ? null : (usage.prompt_tokens_details.cached_tokens ?? 0);
    },
    isReady: async () => (await http.send('/health', undefined)).status === 200,
    models: async () => (await http.ask('/v1/models', undefined, modelsSchema)).data,
    loadAdapter: async (name, folder) => {
      const { status, data } = await http.send('/v1/load_lora_adapter', {
        lora_name: name,
        lora_path: folder,
      });
      if (status !== 200)
        throw http.error(`did not take the adapter ${name}: ${JSON.stringify(data)?.slice(0, 400)}`);
    },
    unloadAdapter: async (name) => void (await http.send('/v1/unload_lora_adapter', { lora_name: name })),
    reload: async (folder) => {
      const body = { method: 'reload_weights', kwargs: { weights_path: folder } };
      await http.ask('/collective_rpc', body, doneSchema);
    },
    dropCache: async () => {
      const { status, data } = await http.send('/reset_prefix_cache', {});
      return status === 200 && cacheResetSchema.safeParse(data).success;
    },
    sleep: async (level) => void (await http.ask(`/sleep?level=${level}`, {}, doneSchema)),
    wake: async (part) => void (await http.ask(`/wake_up?tags=${part}`, {}, doneSchema)),
    isPaused: async () => (await http.ask('/is_paused', undefined, pausedSchema)).is_paused,
    resume: async () => void (await http.ask('/resume', {}, doneSchema)),
    failure: (problem) => http.error(problem),
    dispose: () => http.dispose(),
  };
}
