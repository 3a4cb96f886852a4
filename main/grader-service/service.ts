import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { counted } from '../base/index';
import {
  GRADE_PATH,
  type Grader,
  HEALTH_PATH,
  type HealthAnswer,
  SERVICE_LIMITS,
  SERVICE_VERSION,
} from '../grading';
import { Batches } from './batches';
import type { ItemDeps } from './grade-item';
import { bodyBytes, digestOf, isAllowed, pathOf, type Refused, readBatch, refuse, send } from './http';

export type ServiceOptions = {
  readonly grader: Pick<Grader, 'grade' | 'health' | 'python' | 'packages'>;
  readonly library: ItemDeps['library'];
  readonly token: string;
  /** Candidates at a time, as the grader was opened. */
  readonly workers: number;
  /** Requests under way at which further ones get 429; 64 when left out. */
  readonly maxRequests?: number;
  /** One line for each request, without its texts. */
  readonly log: (line: string) => void;
};

export type GraderService = {
  /** The caller listens. */
  readonly server: Server;
  /** Items that are asked for and have no result yet. */
  readonly ungraded: () => number;
  /**
   * Takes no further requests and waits up to `graceMs` for those under way; the rest of their items are answered with
   * the error `closing`. Returns the number of those items. A second call ends the wait.
   */
  readonly close: (graceMs: number) => Promise<number>;
};

/** Limit of all bodies under way: parsed, they take a few times as much. A single one always fits. */
const HELD_BYTES = 4 * SERVICE_LIMITS.bodyBytes;
const MAX_CONNECTIONS = 512;
const TIMES_MS = {
  headersTimeout: 10_000,
  /** A body that arrives more slowly has lost its sender. */
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

/** Answers, or says why not. */
type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<Refused | null>;

/** A grader behind HTTP: GET /health and POST /v1/grade (docs/grading.md). */
export function createGraderService(options: ServiceOptions): GraderService {
  const { log } = options;
  const expected = digestOf(options.token);
  const batches = new Batches(options);
  let isClosing = false;
  const grade = gradeRoute(batches, options.maxRequests ?? 64);

  const answer: Answering = async (request, response) => {
    if (!isAllowed(request, expected)) return UNAUTHORISED;
    const method = ROUTES[pathOf(request)];
    if (method === undefined) return UNKNOWN_PATH;
    if (method !== request.method) {
      response.setHeader('allow', method);
      return wrongMethod(method);
    }
    if (method === 'POST') return isClosing ? CLOSING : grade(request, response);
    request.resume();
    send(response, 200, healthOf(options));
    return null;
  };

  const server = createServer(TIMES_MS, (request, response) => {
    const startedMs = performance.now();
    response.setHeader('x-request-id', randomUUID());
    if (isClosing) response.setHeader('connection', 'close');
    response.on('close', () => {
      // 499: the client went away, after nginx
      const status = response.writableFinished ? response.statusCode : 499;
      const path = ROUTES[pathOf(request)] === undefined ? 'another path' : pathOf(request);
      log(`${request.method} ${path} ${status} ${Math.round(performance.now() - startedMs)} ms`);
    });
    answer(request, response)
      .then((refused) => refused !== null && refuse(request, response, refused))
      .catch((error: unknown) => {
        if (response.destroyed || request.destroyed || response.headersSent) response.destroy();
        else refuse(request, response, { status: 500, code: 'internal', message: String(error) });
      });
  });
  server.maxConnections = MAX_CONNECTIONS;

  let closed: Promise<number> | null = null;
  return {
    server,
    ungraded: () => batches.ungraded,
    close: (graceMs) => {
      if (closed !== null) batches.endAll('closing');
      isClosing = true;
      closed ??= closeServer(server, graceMs, () => batches.endAll('closing')).then(() => batches.unfinished);
      return closed;
    },
  };
}

function gradeRoute(batches: Batches, maxRequests: number): Answering {
  let heldBytes = 0;
  return async (request, response) => {
    const bytes = bodyBytes(request);
    if (!bytes.ok) return bytes.error;
    const isFull = batches.size > 0 && heldBytes + bytes.value > HELD_BYTES;
    if (isFull || batches.size >= maxRequests) return busy(batches.size);
    heldBytes += bytes.value;
    let refused: Refused | null = null;
    // Nobody waits for a body that is still arriving.
    const onEnd = (): void => void (request.complete || request.destroy());
    await batches.during(onEnd, async (underWay) => {
      const onClose = (): void => underWay.end('gone');
      response.on('close', onClose);
      try {
        const batch = await readBatch(request);
        if (batch.ok) send(response, 200, await underWay.grade(batch.value));
        else refused = batch.error;
      } finally {
        response.off('close', onClose);
        heldBytes -= bytes.value;
      }
    });
    return refused;
  };
}

/** Resolves when every connection has ended; `hurry` is called after the grace. */
function closeServer(server: Server, graceMs: number, hurry: () => void): Promise<void> {
  const timer = setTimeout(hurry, graceMs);
  // A connection counts until it is idle after its last answer.
  const again = setInterval(() => server.closeIdleConnections(), 50);
  return new Promise((done) => {
    server.close(() => {
      clearTimeout(timer);
      clearInterval(again);
      done();
    });
    server.closeIdleConnections();
  });
}

function healthOf({ grader, workers }: ServiceOptions): HealthAnswer {
  return {
    service: 'mars2-grader',
    version: SERVICE_VERSION,
    grader: grader.health(),
    python: grader.python,
    packages: grader.packages.map(({ name, version }) => `${name} ${version}`),
    workers,
  };
}

const ROUTES: Readonly<{ [path: string]: 'GET' | 'POST' | undefined }> = {
  [HEALTH_PATH]: 'GET',
  [GRADE_PATH]: 'POST',
};

const CLOSING: Refused = {
  status: 503,
  code: 'closing',
  message: 'The grader service is ending. Start it again.',
};
const UNKNOWN_PATH: Refused = {
  status: 404,
  code: 'unknown-path',
  message: `There is nothing here. Try ${HEALTH_PATH} or ${GRADE_PATH}.`,
};
const UNAUTHORISED: Refused = {
  status: 401,
  code: 'unauthorised',
  message:
    'The bearer token is missing or not that of this service. It is in the file that the service named when it started.',
};

function wrongMethod(method: string): Refused {
  return { status: 405, code: 'wrong-method', message: `This path takes ${method} only.` };
}

function busy(underWay: number): Refused {
  const message = `${counted(underWay, 'request is', 'requests are')} under way, as many as fit. Send this one again a little later.`;
  return { status: 429, code: 'busy', message };
}
