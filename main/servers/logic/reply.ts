import type { Result } from '../../base';
import type { ApiError } from './api-error';
import type { ChatRequest } from './chat-request';

/** One token as it was written; `logprob` is null if it is unknown. */
export type ReplyToken = { readonly token: string; readonly logprob: number | null };

/** One answer. The texts of its tokens, joined, are the answer. */
export type Reply = { readonly tokens: readonly ReplyToken[]; readonly promptTokens: number };

/** Makes the answers to the HTTP server's requests: `request.n` replies, or why there are none. */
export type Replier = {
  /** Gives complete answers, even if a request allows fewer tokens. */
  readonly isWhole?: boolean;
  readonly replies: (request: ChatRequest) => Result<readonly Reply[], ApiError>;
};

export type FinishedReply = Reply & { readonly text: string; readonly finishReason: 'stop' | 'length' };

/**
 * Applies a request's limits to a reply: at most `maxTokens` tokens (null: no limit), and nothing from the
 * earliest stop text on, which may begin within a token (OpenAI's rule: the stop text is not returned).
 */
export function finishReply(
  reply: Reply,
  limits: { readonly maxTokens: number | null; readonly stop: readonly string[] },
): FinishedReply {
  const within = limits.maxTokens === null ? reply.tokens : reply.tokens.slice(0, limits.maxTokens);
  const text = within.map(({ token }) => token).join('');
  const cuts = limits.stop.map((stop) => text.indexOf(stop)).filter((position) => position >= 0);
  if (cuts.length === 0) {
    const finishReason = within.length < reply.tokens.length ? 'length' : 'stop';
    return { promptTokens: reply.promptTokens, tokens: within, text, finishReason };
  }
  const end = Math.min(...cuts);
  return {
    promptTokens: reply.promptTokens,
    tokens: cutTokens(within, end),
    text: text.slice(0, end),
    finishReason: 'stop',
  };
}

function cutTokens(tokens: readonly ReplyToken[], end: number): readonly ReplyToken[] {
  const result: ReplyToken[] = [];
  let length = 0;
  for (const { token, logprob } of tokens) {
    if (length >= end) break;
    result.push({ token: token.slice(0, end - length), logprob });
    length += token.length;
  }
  return result;
}

/**
 * Splits text that came without tokens: a word, a run of white space, or one other character each. Counts made
 * of it are this server's own and no model's.
 */
export function splitTokens(text: string): readonly string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}
