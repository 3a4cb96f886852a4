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

/** A request over a connection of `agent`. */
export type RequestTarget = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body: string | null;
  /** Sent as a bearer token; never logged or shown. */
  readonly key?: string | null;
  readonly agent: Agent;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

export type Exchange = RequestTarget & {
  /** Of the answer's body; 8 MB when left out. */
  readonly maxAnswerBytes?: number;
};

export type HttpAnswer = {
  readonly status: number;
  readonly body: string;
  /** Milliseconds from now that the server asks to wait (Retry-After); null: it does not say. */
  readonly retryAfterMs: number | null;
};

/** One request and its whole answer. `timeoutMs` limits the whole exchange, not a pause in it. */
export async function exchange(options: Exchange): Promise<Result<HttpAnswer, ChatFailure>> {
  const { maxAnswerBytes = MAX_ANSWER_BYTES } = options;
  return request(options, 'application/json', (response, end) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxAnswerBytes) chunks.push(chunk);
      else end(failed({ kind: 'malformed', message: `its body is longer than ${maxAnswerBytes} bytes` }));
    });
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
}

/** Reads an answer, timed from `startedMs` of `performance`'s clock; calls `end` once it knows the outcome. */
type Reader<T> = (
  response: IncomingMessage,
  end: (outcome: Result<T, ChatFailure>) => void,
  startedMs: number,
) => void;

/**
 * Sends a request and lets `read` take its answer. Aborting ends it with `cancelled`; the first cause wins. If the server
 * closes a kept-alive connection just when the request is sent (uvicorn does after five idle seconds), the request is
 * sent again over a new connection.
 */
export async function request<T>(
  target: RequestTarget,
  accept: string,
  read: Reader<T>,
): Promise<Result<T, ChatFailure>> {
  for (;;) {
    const answer = await requestOnce(target, accept, read);
    if (answer !== 'stale') return answer;
  }
}

async function requestOnce<T>(
  target: RequestTarget,
  accept: string,
  read: Reader<T>,
): Promise<Result<T, ChatFailure> | 'stale'> {
  const { url, body, timeoutMs, signal } = target;
  return new Promise((resolve) => {
    const sent = send(new URL(url), optionsOf(target, accept));
    const startedMs = performance.now();

    const end = (outcome: Result<T, ChatFailure> | 'stale') => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(outcome);
      if (outcome === 'stale' || !outcome.ok) sent.destroy();
    };
    const breakOff = (error: Error) => end(failed({ kind: 'transport', message: error.message }));
    const cancel = () => end(failed({ kind: 'cancelled' }));
    const timer = setTimeout(() => end(failed({ kind: 'timeout', timeoutMs })), timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();

    // Each attempt uses up a kept-alive connection, so the attempts are limited.
    sent.on('error', (error) => (isStale(sent, error, startedMs) ? end('stale') : breakOff(error)));
    sent.on('response', (response: IncomingMessage) => {
      response.on('error', breakOff);
      read(response, end, startedMs);
    });
    sent.end(body ?? undefined);
  });
}

function isStale(sent: ClientRequest, error: NodeJS.ErrnoException, startedMs: number): boolean {
  const hasReset = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
  return hasReset && performance.now() - startedMs < STALE_MS;
}

/** Begins a request; nothing is sent before its `end`. */
function send(url: URL, options: RequestOptions): ClientRequest {
  return url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
}

function optionsOf(
  { method, agent, body, key }: Pick<RequestTarget, 'method' | 'agent' | 'body' | 'key'>,
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
