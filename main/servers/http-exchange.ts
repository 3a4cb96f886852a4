import { type Agent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { failed, ok, type Result } from '../base';
import type { ChatFailure } from './logic/chat-failure';

/** Above any completion; what is longer is no chat completion. */
const MAX_ANSWER_BYTES = 64_000_000;

export type Exchange = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body: string | null;
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/**
 * One request and its whole answer. `timeoutMs` is for all of it, not for a quiet moment. Aborting ends it with
 * `cancelled`; the first cause wins.
 */
export async function exchange(
  asked: Exchange,
): Promise<Result<{ readonly status: number; readonly body: string }, ChatFailure>> {
  return new Promise((resolve) => {
    const url = new URL(asked.url);
    const headers: Record<string, string | number> = { accept: 'application/json' };
    if (asked.body !== null) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(asked.body);
    }
    const options: RequestOptions = { method: asked.method, agent: asked.agent, headers };
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, options);

    const end = (outcome: Result<{ readonly status: number; readonly body: string }, ChatFailure>) => {
      clearTimeout(timer);
      asked.signal.removeEventListener('abort', cancel);
      resolve(outcome);
      if (!outcome.ok) request.destroy();
    };
    const breakOff = (error: Error) => end(failed({ kind: 'transport', message: error.message }));
    const cancel = () => end(failed({ kind: 'cancelled' }));
    const timer = setTimeout(
      () => end(failed({ kind: 'timeout', timeoutMs: asked.timeoutMs })),
      asked.timeoutMs,
    );
    asked.signal.addEventListener('abort', cancel, { once: true });
    if (asked.signal.aborted) cancel();

    request.on('error', breakOff);
    request.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
        else end(failed({ kind: 'malformed', message: `its body is longer than ${MAX_ANSWER_BYTES} bytes` }));
      });
      response.on('error', breakOff);
      response.on('end', () =>
        end(ok({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') })),
      );
    });
    request.end(asked.body ?? undefined);
  });
}
