import type { Agent, IncomingMessage } from 'node:http';
import { failed, ok, type Result } from '../base';
import { isStale, optionsOf, send } from './http-exchange';
import { readCompletion } from './logic/chat-answer';
import { type ChatFailure, withoutKey } from './logic/chat-failure';
import type { TimedAnswer } from './logic/speed-row';
import { StreamAnswer } from './logic/stream-answer';

/** The longest error page, or answer of a server that does not stream. */
const MAX_WHOLE_BYTES = 8_000_000;

type Asked = {
  readonly url: string;
  readonly body: string;
  readonly key: string | null;
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/**
 * One streamed chat completion, timed from its sending. A server that answers in one piece is timed as a whole. Sent again
 * over a new connection, and timed anew, where the server had closed the kept-alive one (as `exchange` does).
 */
export async function timedStream(asked: Asked): Promise<Result<TimedAnswer, ChatFailure>> {
  for (;;) {
    const answer = await streamOnce(asked);
    if (answer !== 'stale') return answer;
  }
}

async function streamOnce(asked: Asked): Promise<Result<TimedAnswer, ChatFailure> | 'stale'> {
  return new Promise((resolve) => {
    const request = send(
      new URL(asked.url),
      optionsOf(
        { method: 'POST', agent: asked.agent, body: asked.body, key: asked.key },
        'text/event-stream',
      ),
    );
    const startedMs = performance.now();
    const end = (outcome: Result<TimedAnswer, ChatFailure> | 'stale') => {
      clearTimeout(timer);
      asked.signal.removeEventListener('abort', cancel);
      resolve(outcome);
      if (outcome === 'stale' || !outcome.ok) request.destroy();
    };
    const breakOff = (error: Error) => end(failed({ kind: 'transport', message: error.message }));
    const cancel = () => end(failed({ kind: 'cancelled' }));
    const timer = setTimeout(
      () => end(failed({ kind: 'timeout', timeoutMs: asked.timeoutMs })),
      asked.timeoutMs,
    );
    asked.signal.addEventListener('abort', cancel, { once: true });
    if (asked.signal.aborted) cancel();
    request.on('error', (error) => (isStale(request, error, startedMs) ? end('stale') : breakOff(error)));
    request.on('response', (response: IncomingMessage) => {
      response.setEncoding('utf8');
      response.on('error', breakOff);
      const isStream = `${response.headers['content-type']}`.startsWith('text/event-stream');
      if (isStream) readStream(response, startedMs, end);
      else readWhole(response, asked.key, end);
    });
    request.end(asked.body);
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

function readWhole(
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
