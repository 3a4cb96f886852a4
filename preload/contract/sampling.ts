import { z } from 'zod';

/** Fields of a request that have their own setting, or that the workbench sets itself. */
const OWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'prompt', 'n', 'stream', 'seed', 'metadata', 'logprobs'],
  ...['temperature', 'top_p', 'top_k', 'min_p', 'max_tokens', 'max_completion_tokens', 'min_tokens', 'stop'],
]);
const LONGEST_EXTRA = 4_000;

/** More fields for the body of each request, as JSON values by the server's own names. */
export const extraFieldsSchema = z
  .record(z.string().regex(/^[A-Za-z_]\w{0,60}$/), z.json())
  .refine((fields) => JSON.stringify(fields).length <= LONGEST_EXTRA, {
    message: `must be shorter than ${LONGEST_EXTRA} characters`,
  })
  .refine((fields) => Object.keys(fields).every((name) => !OWN_REQUEST_FIELDS.has(name)), {
    message: `must not contain a field that has its own setting: ${[...OWN_REQUEST_FIELDS].join(', ')}`,
  });

/**
 * How an agent's answers are drawn; sent with every request, together with a seed derived from the run's. Settings that
 * are left out have the value in their comment, which is sent too: a server must not fill in its own.
 */
export const samplingSchema = z.object({
  temperature: z.number().min(0).max(10),
  topP: z.number().gt(0).max(1),
  maxTokens: z.number().int().positive(),
  /** The most likely tokens that one is drawn from; left out: all (-1 in requests). */
  topK: z.number().int().min(1).max(1_000_000).optional(),
  /** Least probability, relative to the most likely token; left out: 0. */
  minP: z.number().min(0).max(1).optional(),
  /** Tokens before the answer may end; left out: 0. */
  minTokens: z.number().int().min(1).max(1_000_000).optional(),
  /** Texts that end an answer; left out: none. */
  stop: z.array(z.string().min(1).max(200)).min(1).max(8).optional(),
  /** `enable_thinking` of the model's chat template; left out: the template's default. */
  thinking: z.boolean().optional(),
  /** Tokens of prompt and answer together that the model takes; left out: not known, prompts are never shortened. */
  contextTokens: z.number().int().min(64).max(10_000_000).optional(),
  extra: extraFieldsSchema.optional(),
});
export type Sampling = z.infer<typeof samplingSchema>;
