import type { Sampling } from '../../../preload/contract';
import type { ChatFailure } from './chat-failure';

/**
 * How "compatible" servers differ: OpenAI's newer models refuse fields that all others need, and the other way round.
 */
export type Dialect = {
  readonly tokenLimit: 'max_tokens' | 'max_completion_tokens';
  /** OpenAI takes metadata only with requests that it stores; Google's address takes none. */
  readonly hasMetadata: boolean;
  /**
   * Settings of inference engines that are switched off explicitly, since an engine fills in what is left out (vLLM from
   * the model's generation_config.json, llama.cpp top_k 40 and min_p 0.05). Hosted services refuse them.
   */
  readonly hasEngineDefaults: boolean;
};

export const PLAIN_DIALECT: Dialect = {
  tokenLimit: 'max_tokens',
  hasMetadata: true,
  hasEngineDefaults: true,
};

/** Settings that an engine must not fill in by itself. */
const ENGINE_DEFAULTS = { top_k: -1, min_p: 0, repetition_penalty: 1 } as const;

/** The dialect for a second attempt; null if the refusal has another cause. */
export function dialectAfter(used: Dialect, failure: ChatFailure): Dialect | null {
  if (failure.kind !== 'refused' || (failure.status !== 400 && failure.status !== 422)) return null;
  if (used.tokenLimit === 'max_tokens' && failure.message.includes('max_completion_tokens')) {
    return { ...used, tokenLimit: 'max_completion_tokens' };
  }
  if (used.hasEngineDefaults && Object.keys(ENGINE_DEFAULTS).some((name) => failure.message.includes(name))) {
    return { ...used, hasEngineDefaults: false };
  }
  if (used.hasMetadata && /\bmetadata\b/.test(failure.message)) return { ...used, hasMetadata: false };
  return null;
}

/** The sampling fields of a request's body. */
export function samplingFields(
  { temperature, topP, maxTokens, topK, minP, minTokens, stop, thinking, extra = {} }: Sampling,
  { tokenLimit, hasEngineDefaults }: Dialect,
): Readonly<Record<string, unknown>> {
  const template = extra.chat_template_kwargs;
  return {
    ...(hasEngineDefaults ? ENGINE_DEFAULTS : {}),
    ...extra,
    temperature,
    top_p: topP,
    [tokenLimit]: maxTokens,
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(minP === undefined ? {} : { min_p: minP }),
    ...(minTokens === undefined ? {} : { min_tokens: minTokens }),
    ...(stop === undefined ? {} : { stop }),
    ...(thinking === undefined
      ? {}
      : { chat_template_kwargs: { ...(isObject(template) ? template : {}), enable_thinking: thinking } }),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
