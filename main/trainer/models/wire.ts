import { z } from 'zod';
import { tensorSchema } from './tensor';

/** Version of the learner's wire that this client speaks (resources/learner/README.md). */
const WIRE_VERSION = 1;

const count = z.number().int().nonnegative();

/** A learner's first message about itself, before any request. */
export const capabilitiesSchema = z.object({
  wire: z.literal(WIRE_VERSION),
  model: z.string(),
  architecture: z.string(),
  parameters: count,
  trainable: count,
  vocab_size: z.number().int().positive(),
  context_length: z.number().int().positive(),
  special: z.object({ eos: z.array(count), pad: count.nullable() }),
  tokenizer_digest: z.string(),
  dtype: z.string(),
  device: z.string(),
  world_size: z.number().int().positive(),
  lora: z.object({ rank: z.number(), alpha: z.number(), targets: z.array(z.string()) }).nullable(),
  updates: count,
  torch: z.string(),
  transformers: z.string(),
  chat_template: z.boolean(),
  peak_memory_bytes: z.number().nonnegative().nullable(),
});
export type LearnerCapabilities = z.infer<typeof capabilitiesSchema>;

export const renderedSchema = z.object({ tokens: tensorSchema });

export const forwardSchema = z.object({
  loss_fn_outputs: z.array(z.object({ logprobs: tensorSchema })),
});

export const stepSchema = z.object({
  metrics: z.object({ grad_norm: z.number().nonnegative(), updates: count, peak_memory_bytes: count }),
});

export const savedSchema = z.object({ path: z.string(), bytes: count, sha256: z.string() });

export const exportedSchema = z.object({
  path: z.string(),
  files: z.array(z.object({ name: z.string(), sha256: z.string() })),
});

export const sampledSchema = z.object({
  sequences: z
    .array(
      z.object({
        tokens: tensorSchema,
        logprobs: tensorSchema,
        text: z.string(),
        stop_reason: z.enum(['stop', 'length']),
      }),
    )
    .min(1),
  prompt_tokens: count,
  /** Version of the weights that wrote it. */
  updates: count,
});

export const refusedSchema = z.object({ error: z.string(), category: z.enum(['user', 'server']) });
