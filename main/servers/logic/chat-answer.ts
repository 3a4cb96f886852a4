import { z } from 'zod';
import { failed, hideSecrets, ok, parsedJson, type Result } from '../../base';
import { NO_REFINEMENT, PROBLEM_NOT_RECORDED, SAMPLES_EXHAUSTED } from './api-error';
import type { ChatFailure } from './chat-failure';

export type Completion = {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** length: cut at `max_tokens`. Left out where the server does not say, or names another end (a filter, a tool). */
  readonly end?: 'stop' | 'length';
};

const completionSchema = z.object({
  choices: z
    .array(
      z.object({ message: z.object({ content: z.string().nullish() }), finish_reason: z.string().nullish() }),
    )
    .min(1),
  // Some compatible servers leave the counts out; then they count as 0.
  usage: z
    .object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative() })
    .nullish(),
});

/** A continued text has its text where a chat has a message. */
const textSchema = completionSchema.extend({
  choices: z.array(z.object({ text: z.string().nullish(), finish_reason: z.string().nullish() })).min(1),
});

const errorSchema = z.object({ error: z.object({ message: z.string(), code: z.unknown().optional() }) });

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Parses a server's answer to a chat completion, or to a plain text to continue. */
export function readCompletion(
  status: number,
  body: string,
  isPlainText = false,
): Result<Completion, ChatFailure> {
  if (status !== 200) return failed(readRefusal(status, body));
  const parsed = (isPlainText ? textSchema : completionSchema).safeParse(parsedJson(body));
  if (!parsed.success) return failed({ kind: 'malformed', message: schemaErrorText(parsed.error, body) });
  const { choices, usage } = parsed.data;
  const [choice] = choices;
  const end = choice?.finish_reason;
  const text = choice === undefined ? null : 'message' in choice ? choice.message.content : choice.text;
  return ok({
    // Servers give no content for a refusal, or when all tokens went into thinking: an empty answer.
    text: text ?? '',
    promptTokens: usage?.prompt_tokens ?? 0,
    completionTokens: usage?.completion_tokens ?? 0,
    ...(end === 'stop' || end === 'length' ? { end } : {}),
  });
}

/** The names that `GET /v1/models` lists. */
export function readModels(status: number, body: string): Result<readonly string[], ChatFailure> {
  if (status !== 200) return failed(readRefusal(status, body));
  const parsed = modelsSchema.safeParse(parsedJson(body));
  if (!parsed.success) return failed({ kind: 'malformed', message: schemaErrorText(parsed.error, body) });
  return ok(parsed.data.data.map(({ id }) => id));
}

function readRefusal(status: number, body: string): ChatFailure {
  const parsed = errorSchema.safeParse(parsedJson(body));
  const message = parsed.success ? parsed.data.error.message : startOf(body);
  const code = parsed.success ? parsed.data.error.code : undefined;
  // A problem that was not recorded is no failure of the server either, and a retry would not help.
  if (code === SAMPLES_EXHAUSTED || code === PROBLEM_NOT_RECORDED) return { kind: 'exhausted', message };
  if (code === NO_REFINEMENT) return { kind: 'no-refinement', message };
  return { kind: 'refused', status, message };
}

function schemaErrorText(error: z.ZodError, body: string): string {
  const issue = error.issues[0];
  const where =
    issue === undefined || issue.path.length === 0 ? 'its body' : `"${issue.path.map(String).join('.')}"`;
  return `${where} is not what a chat completion has (${startOf(body)})`;
}

/** Far more than is shown, so that no key is cut in half and missed. */
const SEARCHED_CHARACTERS = 20_000;

/** Enough of a strange body to recognise what sent it. It goes into journals, where a server's echo of a key must not be. */
export function startOf(body: string): string {
  const line = hideSecrets(body.slice(0, SEARCHED_CHARACTERS).replace(/\s+/g, ' ').trim());
  if (line === '') return 'an empty body';
  return line.length > 300 ? `${line.slice(0, 300)}...` : line;
}
