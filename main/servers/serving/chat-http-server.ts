import { randomInt } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../base/index';
import type { ApiError } from '../logic/api-error';
import { completionBody, completionChunks, usageOf } from '../logic/chat-reply';
import { type ChatRequest, parseChatRequest } from '../logic/chat-request';
import { type FinishedReply, finishReply, type Replier } from '../logic/reply';
import {
  createHttpServer,
  invalidRequest,
  type RequestRecord,
  type Route,
  readBody,
  refuse,
  sendJson,
} from './http-server';

export type ChatServerOptions = {
  readonly model: string;
  readonly replier: Replier;
  /** Milliseconds that every answer is held back; a streamed one spends them between its tokens. */
  readonly latencyMs: number;
  /** Requests under way at which further ones get 429. */
  readonly maxWaiting: number;
  /** One line for every request answered. */
  readonly log: (line: string) => void;
};

/** The OpenAI-compatible server; the caller listens and closes. */
export function createChatServer(options: ChatServerOptions): Server {
  const startedSeconds = Math.floor(Date.now() / 1000);
  let underWay = 0;

  const answerChat = async (
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    record: RequestRecord,
  ) => {
    if (underWay >= options.maxWaiting) {
      request.resume();
      response.setHeader('retry-after', '1');
      refuse(response, tooBusy(underWay), record);
      return;
    }
    underWay += 1;
    try {
      await complete(request, response, id, record);
    } finally {
      underWay -= 1;
    }
  };

  const complete = async (
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    record: RequestRecord,
  ) => {
    const disconnected = new AbortController();
    response.on('close', () => disconnected.abort());
    const startedMs = performance.now();
    const body = await readBody(request);
    if (!body.ok) {
      response.setHeader('connection', 'close');
      refuse(response, body.error, record);
      return;
    }
    const parsed = parseChatRequest(body.value);
    if (!parsed.ok) {
      refuse(response, parsed.error, record);
      return;
    }
    const chat = parsed.value;
    if (chat.model !== options.model) {
      refuse(response, unknownModel(chat.model, options.model), record);
      return;
    }
    const replies = options.replier.replies({ ...chat, seed: chat.seed ?? randomInt(2 ** 31) });
    if (!replies.ok) {
      refuse(response, replies.error, record);
      return;
    }
    const limits = { stop: chat.stop, maxTokens: options.replier.isWhole === true ? null : chat.maxTokens };
    const finished = replies.value.map((reply) => finishReply(reply, limits));
    const usage = usageOf(finished);
    record.promptTokens = usage.prompt_tokens;
    record.completionTokens = usage.completion_tokens;
    const heading = { id: `chatcmpl-${id}`, created: Math.floor(Date.now() / 1000), model: options.model };
    if (chat.stream) {
      await stream(response, heading, chat, finished, startedMs, disconnected.signal);
      return;
    }
    if (options.latencyMs > 0) await sleep(options.latencyMs, undefined, { signal: disconnected.signal });
    sendJson(response, 200, completionBody(heading, chat, finished));
  };

  const stream = async (
    response: ServerResponse,
    heading: Parameters<typeof completionChunks>[0],
    chat: ChatRequest,
    replies: readonly FinishedReply[],
    startedMs: number,
    disconnected: AbortSignal,
  ) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const chunks = [...completionChunks(heading, chat, replies)];
    for (const [position, chunk] of chunks.entries()) {
      // By the clock and not by a timer per token: a timer takes at least a millisecond, a token may take less.
      const early = startedMs + (options.latencyMs * (position + 1)) / chunks.length - performance.now();
      if (early >= 1) await sleep(early, undefined, { signal: disconnected });
      disconnected.throwIfAborted();
      if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`)) await drained(response, disconnected);
    }
    response.end('data: [DONE]\n\n');
  };

  return createHttpServer({
    log: options.log,
    routes: new Map<string, Route>([
      [
        '/health',
        { method: 'GET', answer: async (_request, response) => sendJson(response, 200, { status: 'ok' }) },
      ],
      [
        '/v1/models',
        {
          method: 'GET',
          answer: async (_request, response) =>
            sendJson(response, 200, modelList(options.model, startedSeconds)),
        },
      ],
      ['/v1/chat/completions', { method: 'POST', answer: answerChat }],
    ]),
  });
}

function modelList(model: string, created: number) {
  return { object: 'list', data: [{ id: model, object: 'model', created, owned_by: 'mars2-workbench' }] };
}

async function drained(response: ServerResponse, disconnected: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once('drain', resolve);
    disconnected.addEventListener('abort', () => resolve(), { once: true });
  });
}

function unknownModel(requested: string, served: string): ApiError {
  const message = `The model "${requested}" is not served here; "${served}" is.`;
  return invalidRequest(404, 'model_not_found', message, 'model');
}

function tooBusy(underWay: number): ApiError {
  const message = `The server already has ${counted(underWay, 'request')} under way. Send this one again later.`;
  return { status: 429, type: 'rate_limit_error', code: 'too_many_requests', message, param: null };
}
