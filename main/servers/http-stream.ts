import type { IncomingMessage } from 'node:http';
import { failed, ok, type Result } from '../base';
import { type RequestTarget, request } from './http-exchange';
import { readCompletion } from './logic/chat-answer';
import { type ChatFailure, withoutKey } from './logic/chat-failure';
import type { TimedAnswer } from './logic/speed-row';
import { StreamAnswer } from './logic/stream-answer';

/** The longest error page, or answer of a server that does not stream. */
const MAX_WHOLE_BYTES = 8_000_000;

/**
 * One streamed chat completion, timed from its sending; from the last one, where it is sent again. A server that answers in
 * one piece is timed as a whole.
 */
export function timedStream(
  target: Omit<RequestTarget, 'method' | 'key'> & { readonly key: string | null },
): Promise<Result<TimedAnswer, ChatFailure>> {
  return request({ ...target, method: 'POST' }, 'text/event-stream', (response, end, startedMs) => {
    response.setEncoding('utf8');
    const isStream = `${response.headers['content-type']}`.startsWith('text/event-stream');
    if (isStream) readStream(response, startedMs, end);
    else readUnstreamed(response, target.key, end);
  });
}

function readStream(
  response: IncomingMessage,
  startedMs: number,
  end: (outcome: Result<TimedAnswer, ChatFailure>) => void,
): void {
  const answer = new StreamAnswer();
  let firstTokenMs: number | null = null;
  response.on('data', (text: string) => {
    answer.read(text);
    if (answer.isTooLong) end(failed({ kind: 'malformed', message: 'a line of its stream does not end' }));
    if (answer.hasBegun) firstTokenMs ??= performance.now() - startedMs;
  });
  response.on('end', () =>
    end(
      answer.isOver
        ? ok({ firstTokenMs, tokens: answer.tokens })
        : failed({ kind: 'malformed', message: 'it ended in the middle' }),
    ),
  );
}

function readUnstreamed(
  response: IncomingMessage,
  key: string | null,
  end: (outcome: Result<TimedAnswer, ChatFailure>) => void,
): void {
  let body = '';
  response.on('data', (text: string) => {
    body += text;
    if (body.length > MAX_WHOLE_BYTES) end(failed({ kind: 'malformed', message: 'its body is too long' }));
  });
  response.on('end', () => {
    const completion = readCompletion(response.statusCode ?? 0, withoutKey(body, key));
    end(completion.ok ? ok({ firstTokenMs: null, tokens: completion.value.completionTokens }) : completion);
  });
}
