import { setMaxListeners } from 'node:events';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Grade, Refusal } from '../../preload/contract';
import { failed, nextRetry, ok, parsedJsonWithin, type Result, type RetryPolicy } from '../base';
import type { GradeRequest, Grader, GraderHealth } from './grader';
import {
  answerSchema,
  GRADE_PATH,
  gradeOfResult,
  HEALTH_PATH,
  healthAnswerSchema,
  SERVICE_LIMITS,
  serviceErrorSchema,
} from './logic/service-wire';
import { CANCELLED } from './shared-grades';

/** Requests at a time: as many as keep the cores of a large service busy, and half of what it lets in. */
const MAX_CONNECTIONS = 32;
/** Limit of one answer: the service leaves out longer details. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;
/** The service ends a request after its longest time; by then it has answered or is gone. */
const ANSWER_MS = (SERVICE_LIMITS.seconds + 60) * 1_000;
const HEALTH_MS = 30_000;

/** A service that starts again is back within a minute; one that is busy may be so for a quarter of an hour. */
const RETRIES: RetryPolicy<'down' | 'busy'> = {
  maxRetries: { down: 9, busy: 64 },
  firstWaitMs: 250,
  longestWaitMs: 15_000,
};

export type RemoteGraderOptions = {
  /** e.g. "http://127.0.0.1:8765" */
  readonly address: string;
  readonly token: string;
  readonly retries?: RetryPolicy<'down' | 'busy'>;
};

export type RemoteGrader = Pick<Grader, 'grade' | 'health' | 'dispose'>;

/**
 * A grader service (docs/grading.md) as a grader. It grades as the one in the service's process: the same requests give the
 * same verdicts. A service that cannot be reached, or refuses, is a refusal, never a verdict. The refusal of the opening
 * says what to do.
 */
export async function openRemoteGrader(options: RemoteGraderOptions): Promise<Result<RemoteGrader, Refusal>> {
  const closing = new AbortController();
  // Every request listens.
  setMaxListeners(0, closing.signal);
  const send = sender(options, closing.signal);
  const answer = await send('GET', HEALTH_PATH, null, closing.signal, HEALTH_MS);
  if (!answer.ok) return answer;
  const parsed = healthAnswerSchema.safeParse(answer.value);
  if (!parsed.success) return failed(refusal(options, 'is no grader service of this version'));
  let health: GraderHealth = parsed.data.grader;
  if (health.kind === 'broken') return failed(refusal(options, `cannot grade: ${health.message}`));
  return ok({
    health: () => health,
    grade: async (request, signal = closing.signal) => {
      if (signal.aborted || closing.signal.aborted) return failed(CANCELLED);
      const answered = await send('POST', GRADE_PATH, bodyOf(request), signal, ANSWER_MS);
      if (!answered.ok) return answered;
      const read = answerSchema.safeParse(answered.value);
      if (!read.success) return failed(refusal(options, 'gave an answer that cannot be read'));
      health = read.data.grader;
      return gradeIn(read.data.results, options);
    },
    dispose: async () => closing.abort(),
  });
}

function gradeIn(
  results: ReturnType<typeof answerSchema.parse>['results'],
  options: RemoteGraderOptions,
): Result<Grade, Refusal> {
  const [result] = results;
  if (result === undefined || results.length > 1)
    return failed(refusal(options, 'answered for another number of programs'));
  return 'error' in result
    ? failed(refusal(options, `did not grade a program: ${result.error.message}`))
    : ok(gradeOfResult(result));
}

function bodyOf({
  program,
  tests,
  entryPoint,
  limits,
  stopAtFirstFailure,
  stopAtTimeLimit = false,
  rules,
  mode,
}: GradeRequest): string {
  const item = { program, tests, entryPoint, limits, stopAtFirstFailure, rules, mode };
  // A service of an earlier version knows no such field.
  if (stopAtTimeLimit) Object.assign(item, { stopAtTimeLimit });
  return JSON.stringify({ items: [item], details: true, timeoutSeconds: SERVICE_LIMITS.seconds });
}

type Send = (
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
  signal: AbortSignal,
  timeoutMs: number,
) => Promise<Result<unknown, Refusal>>;

/** Asks, and asks again where the service is busy or down for a moment. */
function sender(options: RemoteGraderOptions, closing: AbortSignal): Send {
  const isHttps = options.address.startsWith('https:');
  const connections = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const agent = isHttps ? new HttpsAgent(connections) : new HttpAgent(connections);
  closing.addEventListener('abort', () => agent.destroy(), { once: true });
  const { retries = RETRIES } = options;
  return async (method, path, body, signal, timeoutMs) => {
    const made = { down: 0, busy: 0 };
    for (;;) {
      const url = new URL(`${options.address.replace(/\/$/, '')}${path}`);
      const answer = await exchange({ url, method, body, token: options.token, agent, signal, timeoutMs });
      if (signal.aborted || closing.aborted) return failed(CANCELLED);
      const again = retryOf(answer);
      if (again === null) return valueIn(answer, options);
      const retry = nextRetry(retries, again.cause, made[again.cause]);
      if (retry === null) return valueIn(answer, options);
      made[again.cause] += 1;
      await pause(Math.max(retry.waitMs, again.leastMs), undefined, { signal }).catch(() => undefined);
    }
  };
}

type HttpAnswer = Result<{ readonly status: number; readonly text: string; readonly waitMs: number }, string>;

function retryOf(answer: HttpAnswer): { readonly cause: 'down' | 'busy'; readonly leastMs: number } | null {
  if (!answer.ok) return { cause: 'down', leastMs: 0 };
  const { status, waitMs } = answer.value;
  if (status === 429) return { cause: 'busy', leastMs: waitMs };
  return status >= 502 && status <= 504 ? { cause: 'down', leastMs: waitMs } : null;
}

function valueIn(answer: HttpAnswer, options: RemoteGraderOptions): Result<unknown, Refusal> {
  if (!answer.ok) return failed(refusal(options, `cannot be reached: ${answer.error}`));
  const { status, text } = answer.value;
  const value = parsedJsonWithin(text, { depth: SERVICE_LIMITS.depth, parts: SERVICE_LIMITS.parts });
  if (status === 200) return ok(value);
  const refused = serviceErrorSchema.safeParse(value);
  const reason = refused.success ? refused.data.error.message.slice(0, 1_000) : 'it does not say why';
  return failed(refusal(options, `refused with status ${status}: ${reason}`));
}

function refusal({ address }: RemoteGraderOptions, problem: string): Refusal {
  return {
    code: 'unavailable',
    message: `The grader service at ${address} ${problem}`.replace(/\.?$/, '.'),
    hint: 'Check that "mars2 grader serve" runs there, and its address and token. Then start the training again: it continues from its last saved state.',
  };
}

/** Longest pause that is asked for; a date far away must not stop a training. */
const MAX_WAIT_SECONDS = 60;

function exchange({
  url,
  body,
  token,
  signal,
  timeoutMs,
  ...rest
}: {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly body: string | null;
  readonly token: string;
  readonly agent: HttpAgent;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}): Promise<HttpAnswer> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === null
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve) => {
    const sent = request(url, { ...rest, headers, signal });
    const timer = setTimeout(
      () => sent.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    );
    const end = (answer: HttpAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    sent.on('error', (error) => end(failed(error.message)));
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
        else sent.destroy(new Error('its answer is too long'));
      });
      response.on('error', (error) => end(failed(error.message)));
      response.on('end', () => {
        const retryAfter = Number(response.headers['retry-after'] ?? 0);
        const seconds = Number.isFinite(retryAfter) ? Math.min(Math.max(retryAfter, 0), MAX_WAIT_SECONDS) : 0;
        const text = Buffer.concat(chunks).toString('utf8');
        end(ok({ status: response.statusCode ?? 0, text, waitMs: seconds * 1_000 }));
      });
    });
    sent.end(body ?? undefined);
  });
}
