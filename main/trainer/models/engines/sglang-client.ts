import { z } from 'zod';
import { allIds, checkedAnswer, type EngineClient, type EngineHttp, scoreAll } from './engine-client';

/** Log-probability, token id, and its text or null. */
const scoredToken = z.tuple([z.number().nullable(), z.number().int().nonnegative()]).rest(z.unknown());

const generatedSchema = z.object({
  text: z.string(),
  meta_info: z.object({
    finish_reason: z.object({ type: z.string() }).nullable(),
    output_token_logprobs: z.array(scoredToken),
    input_token_logprobs: z.array(scoredToken).optional(),
    cached_tokens: z.number().nullish(),
    /** The label that the last update of its weights gave. */
    weight_version: z.string().nullish(),
  }),
});

const updatedSchema = z.object({ success: z.boolean(), message: z.string().optional() });

export type SglangClient = EngineClient & {
  /** Reads all weights from a folder, drops the cache, and labels what it answers from then on. */
  readonly reload: (folder: string, label: string) => Promise<void>;
};

/**
 * SGLang's own route /generate, with token ids in and out; routes and fields as the documentation of 0.5.23 has them
 * (docs/advanced_features/sglang_for_rl.md, docs/basic_usage/sampling_params.md). Answers by weights of another label
 * than the last published one are refused.
 */
export function sglangClient(http: EngineHttp, endIds: readonly number[]): SglangClient {
  let label: string | null = null;
  const generate = async (body: object, signal?: AbortSignal) => {
    const answer = await http.ask('/generate', { return_logprob: true, ...body }, generatedSchema, signal);
    const { weight_version: version } = answer.meta_info;
    if (label !== null && version !== label)
      throw http.error(
        `answered with the weights ${version ?? 'without a label'} after ${label} were published`,
      );
    return answer;
  };
  return {
    sample: async (prompt, { maxTokens, seed, temperature, topP, topK }, signal) => {
      const { text, meta_info: meta } = await generate(
        {
          input_ids: [...prompt],
          sampling_params: {
            ...{ max_new_tokens: maxTokens, temperature, top_p: topP, top_k: topK, sampling_seed: seed },
            ...{ min_p: 0, stop_token_ids: endIds, skip_special_tokens: true },
          },
        },
        signal,
      );
      const end = meta.finish_reason?.type;
      if (end !== 'stop' && end !== 'length') throw http.error(`broke off an answer (${end ?? 'no reason'})`);
      const scored = meta.output_token_logprobs;
      const answer = checkedAnswer(
        scored.map(([, token]) => token),
        scored.map(([log]) => log),
        maxTokens,
      );
      if (typeof answer === 'string') throw http.error(`answered with ${answer}`);
      return { ...answer, text, end };
    },
    score: (samples) =>
      scoreAll(samples, async (sample) => {
        const body = {
          input_ids: allIds(sample),
          sampling_params: { max_new_tokens: 1, temperature: 1 },
          logprob_start_len: Math.max(0, sample.prompt.length - 1),
        };
        const { meta_info: meta } = await generate(body);
        const last = (meta.input_token_logprobs ?? []).slice(-sample.tokens.length);
        return Float32Array.from(sample.tokens, (token, t) => {
          const [log, scored] = last[t] ?? [null, -1];
          if (log === null || scored !== token)
            throw http.error('scored a prompt without the tokens that it was asked for');
          return log;
        });
      }),
    cachedTokens: async (prompt) => {
      const body = { input_ids: [...prompt], sampling_params: { max_new_tokens: 1 } };
      return (await generate(body)).meta_info.cached_tokens ?? null;
    },
    isReady: async () => (await http.send('/health', undefined)).status === 200,
    reload: async (folder, next) => {
      const body = { model_path: folder, flush_cache: true, weight_version: next };
      const { success, message } = await http.ask('/update_weights_from_disk', body, updatedSchema);
      if (!success) throw http.error(`did not take the weights in ${folder}: ${message ?? 'no reason'}`);
      label = next;
    },
    dispose: () => http.dispose(),
  };
}
