import type { ServerSpec } from '../team';

/**
 * Small language models, published under these names, which a processor or one GPU can run: at most 4 billion parameters.
 * SmolLM2: arXiv 2502.02737. Qwen2.5: arXiv 2412.15115, and Coder: arXiv 2409.12186. Qwen3: arXiv 2505.09388.
 * DeepSeek-Coder: arXiv 2401.14196.
 */
export const DESK_MODELS: readonly string[] = [
  ...['135M', '360M', '1.7B'].flatMap((size) => variants(`SmolLM2-${size}`, '-Instruct')),
  ...['0.5B', '1.5B', '3B'].flatMap((size) => variants(`Qwen2.5-${size}`, '-Instruct')),
  ...['0.5B', '1.5B', '3B'].flatMap((size) => variants(`Qwen2.5-Coder-${size}`, '-Instruct')),
  // The name without a variant is the one that was trained to chat.
  ...['0.6B', '1.7B', '4B'].flatMap((size) => variants(`Qwen3-${size}`, '-Base')),
  ...['-base', '-instruct'].map((variant) => `deepseek-coder-1.3b${variant}`),
];

function variants(name: string, variant: string): string[] {
  return [name, `${name}${variant}`];
}

/** What files and repositories add to a model's name for other number types, e.g. Q4_K_M, IQ4_XS, bf16, AWQ, GPTQ-Int4. */
const NUMBER_TYPE =
  /^(?:(?:ud-)?i?q\d(?:_[a-z0-9]+){0,3}|b?fp?(?:16|32)|fp8|int[48]|awq|gptq(?:-int[48])?|bnb-4bit|[48]bit)$/i;

/**
 * The named small model that weights are by their name alone: "SmolLM2-135M-Instruct", or with what the name says of its
 * numbers "SmolLM2-135M-Instruct Q4_1"; null: none of them, or its name says that it is something more, e.g. tuned further.
 * `weights`: a name at the hub, a folder or a GGUF file. Case is ignored.
 */
export function deskModelOf(weights: string): string | null {
  const path = weights.split('/').filter((part) => part !== '');
  const name = (path.at(-1) ?? '').replace(/\.gguf$/i, '');
  const lower = name.toLowerCase();
  for (const model of DESK_MODELS) {
    if (lower === model.toLowerCase()) return model;
    if (!lower.startsWith(model.toLowerCase())) continue;
    const rest = name.slice(model.length);
    if (/^[-._]/.test(rest) && NUMBER_TYPE.test(rest.slice(1))) return `${model} ${rest.slice(1)}`;
  }
  return null;
}

/** The named small model that answers as this server; an outside one's by what it calls itself. null: none. */
export function serverDeskModel(server: ServerSpec): string | null {
  if (server.kind === 'launch') return server.deskModel ?? null;
  return server.kind === 'url' ? deskModelOf(server.model) : null;
}

/** The configurations of untrained models: a study trains nothing, so it fills only their rows. */
export function untrainedOf<C extends { readonly method: string }>(exhibit: {
  readonly configurations: readonly C[];
}): readonly C[] {
  return exhibit.configurations.filter(({ method }) => method === 'base');
}
