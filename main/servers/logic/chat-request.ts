import { z } from 'zod';
import { failed, ok, type Result } from '../../base';
import { type ApiError, badRequest } from './api-error';

export type ChatMessage = {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content: string;
};

/** A checked request with every default filled in. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly n: number;
  /** null: the server draws one. */
  readonly seed: number | null;
  readonly temperature: number;
  readonly topP: number;
  /** null: as long as the policy writes. */
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly logprobs: boolean;
  /** Facts about the request for our own servers; other servers ignore the field. */
  readonly metadata: {
    readonly problemId: string | null;
    readonly session: string;
    /** Position in the session's own order of the problem's samples; null: the server counts. */
    readonly ordinal: number | null;
    /** Digest of the program to refine; null: a first attempt. */
    readonly parent: string | null;
    /** Position among the answers to the same `parent`; null: as `ordinal`. */
    readonly turn: number | null;
  };
};

const textPartSchema = z.object({ type: z.literal('text'), text: z.string() });

const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(textPartSchema)], 'must be a string or a list of text parts'),
});

// OpenAI's metadata values are strings, so an ordinal travels as one; a plain number is taken too.
const ordinalSchema = z.union(
  [z.int().nonnegative(), z.string().regex(/^\d{1,9}$/)],
  'must be a whole number from 0',
);

const parentSchema = z.string().regex(/^(?:[0-9a-f]{16})?$/, 'must be 16 hex digits, or empty');

const requestSchema = z.object({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  n: z.int().min(1).max(128).nullish(),
  seed: z.int().nullish(),
  temperature: z.number().min(0).max(10).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stop: z
    .union(
      [z.string().min(1), z.array(z.string().min(1)).max(16)],
      'must be a text or a list of at most 16 texts',
    )
    .nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  metadata: z
    .object({
      problem_id: z.string().optional(),
      session: z.string().optional(),
      ordinal: ordinalSchema.optional(),
      parent: parentSchema.optional(),
      turn: ordinalSchema.optional(),
    })
    .nullish(),
});

/**
 * Reads the body of `POST /v1/chat/completions`. Ignores unknown fields, as OpenAI-compatible servers do; refuses a
 * wrong value of a known field and names the field.
 */
export function parseChatRequest(body: string): Result<ChatRequest, ApiError> {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return failed(badRequest('The body is not JSON. Send one JSON object.', null));
  }
  const parsed = requestSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const param = issue === undefined || issue.path.length === 0 ? null : issue.path.map(String).join('.');
    const where = param === null ? 'The body' : `The field "${param}"`;
    return failed(badRequest(`${where} is not valid: ${issue?.message ?? 'wrong shape'}.`, param));
  }
  const { data } = parsed;
  const stream = data.stream ?? false;
  if (data.stream_options != null && !stream) {
    return failed(badRequest('"stream_options" needs "stream": true.', 'stream_options'));
  }
  if (data.top_logprobs != null && data.logprobs !== true) {
    return failed(badRequest('"top_logprobs" needs "logprobs": true.', 'top_logprobs'));
  }
  const { ordinal, turn, parent } = data.metadata ?? {};
  return ok({
    model: data.model,
    messages: data.messages.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.map((part) => part.text).join(''),
    })),
    n: data.n ?? 1,
    seed: data.seed ?? null,
    temperature: data.temperature ?? 1,
    topP: data.top_p ?? 1,
    maxTokens: data.max_completion_tokens ?? data.max_tokens ?? null,
    stop: data.stop == null ? [] : typeof data.stop === 'string' ? [data.stop] : data.stop,
    stream,
    includeUsage: data.stream_options?.include_usage ?? false,
    logprobs: data.logprobs ?? false,
    metadata: {
      problemId: data.metadata?.problem_id ?? null,
      session: data.metadata?.session ?? '',
      ordinal: ordinal === undefined ? null : Number(ordinal),
      parent: parent === undefined || parent === '' ? null : parent,
      turn: turn === undefined ? null : Number(turn),
    },
  });
}
