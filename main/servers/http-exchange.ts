import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { failed, ok, type Result } from '../base';
import type { ChatFailure } from './logic/chat-failure';

/** Some million tokens: a longer body is no chat completion, and every answer is written to a journal. */
const MAX_ANSWER_BYTES = 8_000_000;
/** A connection that was closed before fails at once; one that breaks later has another cause. */
const STALE_MS = 2_000;

/** `startedMs` on `performance`'s clock. */
export function isStale(request: ClientRequest, error: Error, startedMs: number): boolean {
  return hasReset(request, error) && performance.now() - startedMs < STALE_MS;
}

export type Exchange = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body: string | null;
  /** Sent as a bearer token; never logged or shown. */
  readonly key?: string | null;
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Of the answer's body; 8 MB when left out. */
  readonly maxAnswerBytes?: number;
};

export type Exchanged = {
  readonly status: number;
  readonly body: string;
  /** Milliseconds from now that the server asks to wait (Retry-After); null: it does not say. */
  readonly retryAfterMs: number | null;
};

/**
 * One request and its whole answer. `timeoutMs` limits the whole exchange, not a pause in it. Aborting ends it with
 * `cancelled`; the first cause wins. If the server closes a kept-alive connection just when the request is sent
 * (uvicorn does after five idle seconds), the request is sent again over a new connection.
 */
export async function exchange(options: Exchange): Promise<Result<Exchanged, ChatFailure>> {
  for (;;) {
    const answer = await exchangeOnce(options);
    if (answer !== 'stale') return answer;
  }
}

async function exchangeOnce(options: Exchange): Promise<Result<Exchanged, ChatFailure> | 'stale'> {
  const { maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  return new Promise((resolve) => {
    const url = new URL(options.url);
    const request = send(url, optionsOf(options, 'application/json'));
    const sentMs = performance.now();

    const end = (outcome: Result<Exchanged, ChatFailure> | 'stale') => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', cancel);
      resolve(outcome);
      if (outcome === 'stale' || !outcome.ok) request.destroy();
    };
    const breakOff = (error: Error) => end(failed({ kind: 'transport', message: error.message }));
    const cancel = () => end(failed({ kind: 'cancelled' }));
    const timer = setTimeout(
      () => end(failed({ kind: 'timeout', timeoutMs: options.timeoutMs })),
      options.timeoutMs,
    );
    options.signal.addEventListener('abort', cancel, { once: true });
    if (options.signal.aborted) cancel();

    // Each attempt uses up a kept-alive connection, so the attempts are limited.
    request.on('error', (error) => {
      end(isStale(request, error, sentMs) ? 'stale' : failed({ kind: 'transport', message: error.message }));
    });
    request.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxAnswerBytes) chunks.push(chunk);
        else end(failed({ kind: 'malformed', message: `its body is longer than ${maxAnswerBytes} bytes` }));
      });
      response.on('error', breakOff);
      response.on('end', () =>
        end(
          ok({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8'),
            retryAfterMs: waitOf(response.headers['retry-after']),
          }),
        ),
      );
    });
    request.end(options.body ?? undefined);
  });
}

function hasReset(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Begins a request; nothing is sent before its `end`. */
export function send(url: URL, options: RequestOptions): ClientRequest {
  return url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
}

export function optionsOf(
  { method, agent, body, key }: Pick<Exchange, 'method' | 'agent' | 'body' | 'key'>,
  accept: string,
): RequestOptions {
  const headers: Record<string, string | number> = { accept };
  if (body !== null) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = Buffer.byteLength(body);
  }
  if (key !== undefined && key !== null) headers.authorization = `Bearer ${key}`;
  return { method, agent, headers };
}

/** Seconds, or a date. */
function waitOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const wait = /^\d+(\.\d+)?$/.test(retryAfter.trim())
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(wait) ? null : wait;
}
