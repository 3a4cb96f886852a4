import type { ChatRequest } from './chat-request';
import type { FinishedReply, ReplyToken } from './reply';

type Heading = { readonly id: string; readonly created: number; readonly model: string };

export type Usage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
};

/** The prompt is read once for all choices, so it is counted once. */
export function usageOf(replies: readonly FinishedReply[]): Usage {
  const prompt = replies[0]?.promptTokens ?? 0;
  const completion = replies.reduce((sum, reply) => sum + reply.tokens.length, 0);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** The body of an answer in one piece. `created` is in seconds since the epoch. */
export function completionBody(heading: Heading, request: ChatRequest, replies: readonly FinishedReply[]) {
  return {
    ...heading,
    object: 'chat.completion',
    choices: replies.map((reply, index) => ({
      index,
      message: { role: 'assistant', content: reply.text, refusal: null },
      logprobs: request.logprobs ? logprobsOf(reply.tokens) : null,
      finish_reason: reply.finishReason,
    })),
    usage: usageOf(replies),
  };
}

/**
 * The chunks of a streamed answer in order: the role of every choice, then token after token with the choices
 * taking turns, then why each ended, then the usage if it was asked for.
 */
export function* completionChunks(heading: Heading, request: ChatRequest, replies: readonly FinishedReply[]) {
  const frame = (choices: readonly unknown[], usage: Usage | null) => ({
    ...heading,
    object: 'chat.completion.chunk',
    choices,
    ...(request.includeUsage ? { usage } : {}),
  });
  for (const index of replies.keys()) {
    const delta = { role: 'assistant', content: '' };
    yield frame([{ index, delta, logprobs: null, finish_reason: null }], null);
  }
  const longest = Math.max(...replies.map(({ tokens }) => tokens.length));
  for (let position = 0; position < longest; position++) {
    for (const [index, { tokens }] of replies.entries()) {
      const token = tokens[position];
      if (token === undefined) continue;
      const logprobs = request.logprobs ? logprobsOf([token]) : null;
      yield frame([{ index, delta: { content: token.token }, logprobs, finish_reason: null }], null);
    }
  }
  for (const [index, { finishReason }] of replies.entries()) {
    yield frame([{ index, delta: {}, logprobs: null, finish_reason: finishReason }], null);
  }
  if (request.includeUsage) yield frame([], usageOf(replies));
}

/** null if they are unknown (recorded samples). */
function logprobsOf(tokens: readonly ReplyToken[]) {
  const content: { token: string; logprob: number; bytes: null; top_logprobs: [] }[] = [];
  for (const { token, logprob } of tokens) {
    if (logprob === null) return null;
    content.push({ token, logprob, bytes: null, top_logprobs: [] });
  }
  return { content, refusal: null };
}
