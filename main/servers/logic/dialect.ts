import type { Sampling } from '../../../preload/contract';
import { assertNever } from '../../base';
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
   * the model's generation_config.json, llama.cpp top_k 40 and min_p 0.05). fields: of the request. generation-config: of
   * one field, as `transformers serve` wants them; without it that takes the most likely token at every temperature. none:
   * hosted services refuse them.
   */
  readonly engineSettings: 'fields' | 'generation-config' | 'none';
  /** What the server calls its only model, where it answers to no other name; null: the name that we know. */
  readonly pinnedModel: string | null;
};

export const PLAIN_DIALECT: Dialect = {
  tokenLimit: 'max_tokens',
  hasMetadata: true,
  engineSettings: 'fields',
  pinnedModel: null,
};

/** Settings that an engine must not fill in by itself. */
const ENGINE_DEFAULTS = { top_k: -1, min_p: 0, repetition_penalty: 1 } as const;

/** How `transformers serve` refuses fields, and names other than its model's (seen in 5.24). */
const UNEXPECTED_FIELDS = 'Unexpected fields in the request';
const PINNED = /Server is pinned to '([^']{1,4096})'; requested/;

/** The dialect for a second attempt; null if the refusal has another cause. */
export function dialectAfter(used: Dialect, failure: ChatFailure): Dialect | null {
  if (failure.kind !== 'refused' || (failure.status !== 400 && failure.status !== 422)) return null;
  if (used.tokenLimit === 'max_tokens' && failure.message.includes('max_completion_tokens')) {
    return { ...used, tokenLimit: 'max_completion_tokens' };
  }
  const pinnedModel = pinnedModelOf(failure);
  if (used.pinnedModel === null && pinnedModel !== null) return { ...used, pinnedModel };
  const engineSettings = engineSettingsAfter(used, failure.message);
  if (engineSettings !== null) return { ...used, engineSettings };
  if (used.hasMetadata && /\bmetadata\b/.test(failure.message)) return { ...used, hasMetadata: false };
  return null;
}

/** The only model that a server answers for, by its refusal of another; null: it has another cause. */
export function pinnedModelOf(failure: ChatFailure): string | null {
  return failure.kind === 'refused' ? (PINNED.exec(failure.message)?.[1] ?? null) : null;
}

/** null: the refusal is not about them. */
function engineSettingsAfter({ engineSettings }: Dialect, message: string): Dialect['engineSettings'] | null {
  switch (engineSettings) {
    case 'fields':
      if (!Object.keys(ENGINE_DEFAULTS).some((name) => message.includes(name))) return null;
      return message.includes(UNEXPECTED_FIELDS) ? 'generation-config' : 'none';
    case 'generation-config':
      return message.includes('generation_config') ? 'none' : null;
    case 'none':
      return null;
    default:
      return assertNever(engineSettings);
  }
}

/** The sampling fields of a request's body. */
export function samplingFields(
  { temperature, topP, maxTokens, topK, minP, minTokens, stop, thinking, extra = {} }: Sampling,
  { tokenLimit, engineSettings }: Dialect,
): Readonly<Record<string, unknown>> {
  const template = extra.chat_template_kwargs;
  const config = {
    ...{ do_sample: temperature > 0, top_k: topK ?? 0, min_p: minP ?? 0, repetition_penalty: 1 },
    ...(minTokens === undefined ? {} : { min_new_tokens: minTokens }),
  };
  return {
    ...(engineSettings === 'fields' ? ENGINE_DEFAULTS : {}),
    ...(engineSettings === 'generation-config' ? { generation_config: JSON.stringify(config) } : {}),
    ...extra,
    temperature,
    top_p: topP,
    [tokenLimit]: maxTokens,
    ...(engineSettings === 'generation-config'
      ? {}
      : {
          ...(topK === undefined ? {} : { top_k: topK }),
          ...(minP === undefined ? {} : { min_p: minP }),
          ...(minTokens === undefined ? {} : { min_tokens: minTokens }),
        }),
    ...(stop === undefined ? {} : { stop }),
    ...(thinking === undefined
      ? {}
      : { chat_template_kwargs: { ...(isObject(template) ? template : {}), enable_thinking: thinking } }),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
