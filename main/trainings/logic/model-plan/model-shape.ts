import { z } from 'zod';

/** What a plan needs to know of a dense language model; counts. */
export type ModelShape = {
  readonly parameters: number;
  readonly layers: number;
  /** Width of the hidden states, and of the inner layer of a feed-forward network. */
  readonly hidden: number;
  readonly inner: number;
  /** Of the keys of one layer; the values are as wide. */
  readonly keyWidth: number;
  readonly vocabulary: number;
  /** Of the largest layer, without embeddings. */
  readonly layerParameters: number;
  /** Of the embeddings and, where it has weights of its own, of the projection to the vocabulary. */
  readonly wordParameters: number;
  /** Inputs and outputs, added, of all linear layers but the projection to the vocabulary: an adapter of rank r has r times as many parameters. */
  readonly linearWidths: number;
  /** Tokens of a prompt and its answer together; null: the configuration does not say. */
  readonly contextTokens: number | null;
};

export type ShapeReading =
  | { readonly kind: 'known'; readonly shape: ModelShape }
  /** `why`: the end of a sentence that begins with the model's name. */
  | { readonly kind: 'unknown'; readonly why: string };

/** Which biases and norms a layer has beside the usual; whether the embeddings also project to the vocabulary by default. */
type Family = { readonly projectionBias: boolean; readonly headNorms: boolean; readonly isTied: boolean };

/** By `model_type` of transformers: dense decoders of one form, those that the learner is meant for. */
const FAMILIES: Readonly<Record<string, Family>> = {
  llama: { projectionBias: false, headNorms: false, isTied: false },
  mistral: { projectionBias: false, headNorms: false, isTied: false },
  smollm3: { projectionBias: false, headNorms: false, isTied: true },
  qwen2: { projectionBias: true, headNorms: false, isTied: false },
  qwen3: { projectionBias: false, headNorms: true, isTied: false },
};

const count = z.int().positive().max(1_000_000_000);
const configSchema = z.object({
  model_type: z.string().max(200),
  hidden_size: count,
  intermediate_size: count,
  num_hidden_layers: count,
  num_attention_heads: count,
  num_key_value_heads: count.nullish(),
  head_dim: count.nullish(),
  vocab_size: count,
  max_position_embeddings: count.nullish(),
  tie_word_embeddings: z.boolean().nullish(),
  attention_bias: z.boolean().nullish(),
  mlp_bias: z.boolean().nullish(),
});

/**
 * Counts the parameters of a model by its config.json, weight by weight as transformers builds Llama, Mistral, Qwen2,
 * Qwen3 and SmolLM3: embeddings; in each layer four projections of the attention, three of the feed-forward network, two
 * norms; a last norm; a projection to the vocabulary unless it is the embeddings'.
 */
export function readModelShape(config: string): ShapeReading {
  let json: unknown;
  try {
    json = JSON.parse(config);
  } catch {
    return { kind: 'unknown', why: 'has a config.json that is no JSON' };
  }
  const parsed = configSchema.safeParse(json);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? '';
    return { kind: 'unknown', why: `has a config.json without a usable "${field}"` };
  }
  const c = parsed.data;
  const family = Object.hasOwn(FAMILIES, c.model_type) ? FAMILIES[c.model_type] : undefined;
  if (family === undefined) {
    return {
      kind: 'unknown',
      why: `is of the kind ${JSON.stringify(c.model_type)}, whose parameters this plan cannot count`,
    };
  }
  const headWidth = c.head_dim ?? Math.floor(c.hidden_size / c.num_attention_heads);
  const queryWidth = c.num_attention_heads * headWidth;
  const keyWidth = (c.num_key_value_heads ?? c.num_attention_heads) * headWidth;
  const [hidden, inner] = [c.hidden_size, c.intermediate_size];
  const everyBias = c.attention_bias ?? false;
  /** Inputs, outputs, and whether there is a bias. */
  const linear: readonly (readonly [number, number, boolean])[] = [
    [hidden, queryWidth, family.projectionBias || everyBias],
    [hidden, keyWidth, family.projectionBias || everyBias],
    [hidden, keyWidth, family.projectionBias || everyBias],
    [queryWidth, hidden, everyBias],
    [hidden, inner, c.mlp_bias ?? false],
    [hidden, inner, c.mlp_bias ?? false],
    [inner, hidden, c.mlp_bias ?? false],
  ];
  const norms = 2 * hidden + (family.headNorms ? 2 * headWidth : 0);
  const layerParameters =
    norms + linear.reduce((sum, [from, to, hasBias]) => sum + from * to + (hasBias ? to : 0), 0);
  const wordParameters = c.vocab_size * hidden * ((c.tie_word_embeddings ?? family.isTied) ? 1 : 2);
  return {
    kind: 'known',
    shape: {
      parameters: wordParameters + c.num_hidden_layers * layerParameters + hidden,
      layers: c.num_hidden_layers,
      hidden,
      inner,
      keyWidth,
      vocabulary: c.vocab_size,
      layerParameters,
      wordParameters,
      linearWidths: c.num_hidden_layers * linear.reduce((sum, [from, to]) => sum + from + to, 0),
      contextTokens: c.max_position_embeddings ?? null,
    },
  };
}
