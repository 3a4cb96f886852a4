import { randomInt, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { completionBody, completionChunks, usageOf } from '../logic/chat-reply';
import { type ChatRequest, parseChatRequest } from '../logic/chat-request';
import { type FinishedReply, finishReply, type Replier } from '../logic/reply';
import { problemBody, type ServerProblem } from '../logic/server-problem';
import { readBody } from './request-body';

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

/** What the log line tells about one request; filled while it is answered. */
type Record = { status: number; promptTokens: number; completionTokens: number; problem: string | null };

/** The OpenAI-compatible server; the caller listens and closes. */
export function createChatServer(options: ChatServerOptions): Server {
  const startedSeconds = Math.floor(Date.now() / 1000);
  let underWay = 0;

  const answerChat = async (
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    record: Record,
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

  const complete = async (request: IncomingMessage, response: ServerResponse, id: string, record: Record) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
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
    const finished = replies.value.map((reply) => finishReply(reply, chat));
    const usage = usageOf(finished);
    record.promptTokens = usage.prompt_tokens;
    record.completionTokens = usage.completion_tokens;
    const heading = { id: `chatcmpl-${id}`, created: Math.floor(Date.now() / 1000), model: options.model };
    if (chat.stream) {
      await stream(response, heading, chat, finished, startedMs, gone.signal);
      return;
    }
    if (options.latencyMs > 0) await sleep(options.latencyMs, undefined, { signal: gone.signal });
    sendJson(response, 200, completionBody(heading, chat, finished));
  };

  const stream = async (
    response: ServerResponse,
    heading: Parameters<typeof completionChunks>[0],
    chat: ChatRequest,
    replies: readonly FinishedReply[],
    startedMs: number,
    gone: AbortSignal,
  ) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const chunks = [...completionChunks(heading, chat, replies)];
    for (const [position, chunk] of chunks.entries()) {
      // Against the clock and not per token: a timer is never shorter than a millisecond, a token may be.
      const early = startedMs + (options.latencyMs * (position + 1)) / chunks.length - performance.now();
      if (early >= 1) await sleep(early, undefined, { signal: gone });
      gone.throwIfAborted();
      if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`)) await drained(response, gone);
    }
    response.end('data: [DONE]\n\n');
  };

  const route = async (request: IncomingMessage, response: ServerResponse, id: string, record: Record) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const method = paths.get(path);
    if (method !== undefined && method === request.method && path === '/v1/chat/completions') {
      await answerChat(request, response, id, record);
      return;
    }
    request.resume();
    if (method === undefined) refuse(response, unknownPath(path), record);
    else if (method !== request.method) {
      response.setHeader('allow', method);
      refuse(response, wrongMethod(path, method), record);
    } else if (path === '/health') sendJson(response, 200, { status: 'ok' });
    else sendJson(response, 200, modelList(options.model, startedSeconds));
  };

  return createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const id = randomUUID();
    const startedMs = performance.now();
    const record: Record = { status: 200, promptTokens: 0, completionTokens: 0, problem: null };
    response.setHeader('x-request-id', id);
    route(request, response, id, record)
      .catch((error: unknown) => {
        if (response.destroyed || request.destroyed) {
          record.status = 499; // the log's number for a client that went away, after nginx
          record.problem = 'the client closed the connection';
          response.destroy();
          return;
        }
        const message = error instanceof Error ? error.message : String(error);
        refuse(response, internal(message), record);
      })
      .finally(() => {
        const ms = Math.round(performance.now() - startedMs);
        const counts = `prompt ${record.promptTokens} completion ${record.completionTokens}`;
        const problem = record.problem === null ? '' : ` problem: ${JSON.stringify(record.problem)}`;
        options.log(`${id} ${request.method} ${request.url} ${record.status} ${ms} ms ${counts}${problem}`);
      });
  });
}

const paths: ReadonlyMap<string, string> = new Map([
  ['/health', 'GET'],
  ['/v1/models', 'GET'],
  ['/v1/chat/completions', 'POST'],
]);

function modelList(model: string, created: number) {
  return { object: 'list', data: [{ id: model, object: 'model', created, owned_by: 'mars2-workbench' }] };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

function refuse(response: ServerResponse, problem: ServerProblem, record: Record): void {
  record.status = problem.status;
  record.problem = problem.message;
  // Too late for a status once a stream has begun: the client sees that [DONE] is missing.
  if (response.headersSent) response.destroy();
  else sendJson(response, problem.status, problemBody(problem));
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once('drain', resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
  });
}

function invalid(status: number, code: string | null, message: string, param: string | null): ServerProblem {
  return { status, type: 'invalid_request_error', code, message, param };
}

function unknownModel(asked: string, served: string): ServerProblem {
  return invalid(404, 'model_not_found', `The model "${asked}" is not served here; "${served}" is.`, 'model');
}

function unknownPath(path: string): ServerProblem {
  return invalid(
    404,
    'unknown_path',
    `There is nothing at ${path}. Try ${[...paths.keys()].join(', ')}.`,
    null,
  );
}

function wrongMethod(path: string, method: string): ServerProblem {
  return invalid(405, 'wrong_method', `${path} takes ${method} only.`, null);
}

function tooBusy(underWay: number): ServerProblem {
  const message = `The server already has ${underWay} requests under way. Send this one again later.`;
  return { status: 429, type: 'rate_limit_error', code: 'too_many_requests', message, param: null };
}

function internal(message: string): ServerProblem {
  return {
    status: 500,
    type: 'server_error',
    code: 'internal',
    message: `The server failed: ${message}`,
    param: null,
  };
}
