import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { failed, ok, type Result } from '../../base';
import { type ApiError, problemBody } from '../logic/api-error';

/** The contents of one request's log line; filled while it is answered. */
export type RequestRecord = {
  status: number;
  promptTokens: number;
  completionTokens: number;
  problem: string | null;
};

export type Route = {
  readonly method: 'GET' | 'POST';
  /** Must read the request's body, if any, or discard it. */
  readonly answer: (
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    record: RequestRecord,
  ) => Promise<void>;
};

/** An HTTP server with a fixed answer to each path, whose every request ends in one line of the log. */
export function createHttpServer({
  routes,
  log,
}: {
  readonly routes: ReadonlyMap<string, Route>;
  readonly log: (line: string) => void;
}): Server {
  const answer: Route['answer'] = async (request, response, id, record) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const route = routes.get(path);
    if (route !== undefined && route.method === request.method) {
      // A GET has no body worth keeping.
      if (route.method === 'GET') request.resume();
      await route.answer(request, response, id, record);
      return;
    }
    request.resume();
    if (route === undefined) refuse(response, unknownPath(path, [...routes.keys()]), record);
    else {
      response.setHeader('allow', route.method);
      refuse(response, wrongMethod(path, route.method), record);
    }
  };

  return createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const id = randomUUID();
    const startedMs = performance.now();
    const record: RequestRecord = { status: 200, promptTokens: 0, completionTokens: 0, problem: null };
    response.setHeader('x-request-id', id);
    answer(request, response, id, record)
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
        log(`${id} ${request.method} ${request.url} ${record.status} ${ms} ms ${counts}${problem}`);
      });
  });
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

export function refuse(response: ServerResponse, problem: ApiError, record: RequestRecord): void {
  record.status = problem.status;
  record.problem = problem.message;
  // Too late for a status once a stream has begun: the client sees that [DONE] is missing.
  if (response.headersSent) response.destroy();
  else sendJson(response, problem.status, problemBody(problem));
}

export function invalidRequest(
  status: number,
  code: string | null,
  message: string,
  param: string | null,
): ApiError {
  return { status, type: 'invalid_request_error', code, message, param };
}

function unknownPath(path: string, paths: readonly string[]): ApiError {
  return invalidRequest(404, 'unknown_path', `There is nothing at ${path}. Try ${paths.join(', ')}.`, null);
}

function wrongMethod(path: string, method: string): ApiError {
  return invalidRequest(405, 'wrong_method', `${path} takes ${method} only.`, null);
}

function internal(message: string): ApiError {
  return {
    status: 500,
    type: 'server_error',
    code: 'internal',
    message: `The server failed: ${message}`,
    param: null,
  };
}

/** 4 MB: far above any prompt of a search, far below what would hurt the process. */
const MAX_BODY_BYTES = 4_000_000;
/**
 * A client whose connection is cut does not read the answer, so a body that is too large is still read up to this size.
 */
const MAX_DISCARDED_BYTES = 64_000_000;

/** The whole body as text; too large is a 413. Rejects when the sender goes away in the middle. */
export async function readBody(request: IncomingMessage): Promise<Result<string, ApiError>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    if (bytes > MAX_DISCARDED_BYTES) break;
  }
  if (bytes <= MAX_BODY_BYTES) return ok(Buffer.concat(chunks).toString('utf8'));
  return failed({
    status: 413,
    type: 'invalid_request_error',
    code: null,
    message: `The body is larger than ${MAX_BODY_BYTES} bytes.`,
    param: null,
  });
}
