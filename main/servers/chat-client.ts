import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Agent } from '../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../base';
import { sleepUnlessAborted } from './abortable';
import { exchange, type HttpAnswer } from './http-exchange';
import { InFlightLimit } from './in-flight-limit';
import { type Completion, readCompletion, readModels } from './logic/chat-answer';
import {
  asksToWait,
  type ChatFailure,
  LONGEST_WAIT_MS,
  retryPauseMs,
  withoutKey,
} from './logic/chat-failure';
import type { ChatMessage } from './logic/chat-request';
import { type Dialect, dialectAfter, PLAIN_DIALECT, samplingFields } from './logic/dialect';

export type CompletionRequest = {
  readonly messages: readonly ChatMessage[];
  /**
   * True: the texts of the messages are continued as they are, by /completions and without a chat template. Left out:
   * they are a chat.
   */
  readonly isPlainText?: boolean;
  readonly sampling: Agent['sampling'];
  /** Integer from 0. */
  readonly seed: number;
  /** Tells a recorded model which program to give; other servers ignore it. */
  readonly metadata: {
    readonly problemId: string;
    readonly session: string;
    readonly ordinal: number;
    /** First 16 hex digits of the SHA-256 of the program to refine; empty for a first attempt. */
    readonly parent: string;
    /** Answers that this session already has for the same problem and `parent`. */
    readonly turn: number;
  };
};

export type ChatClient = Disposable & {
  /**
   * One completion. Waits for a slot first; the time-out starts at each sending. If the server answers 429 or 503,
   * sends the request again for up to ten minutes. Never rejects.
   */
  readonly complete: (
    request: CompletionRequest,
    signal: AbortSignal,
  ) => Promise<Result<Completion, ChatFailure>>;
  /** The models that the server lists; does not count for the limit. */
  readonly models: (signal: AbortSignal) => Promise<Result<readonly string[], ChatFailure>>;
  /** Most requests that the server is given at a time. */
  readonly maxInFlight: number;
  /** Requests that the server has now. */
  readonly inFlight: () => number;
  /** Completions received. */
  readonly answered: () => number;
};

/**
 * A client of one model behind an OpenAI-compatible API. `baseUrl` (with its "/v1") may be a function, for a server
 * whose port changes when it is started again. `timeoutMs` bounds one whole exchange.
 */
export function createChatClient(options: {
  readonly baseUrl: string | (() => string);
  readonly model: string;
  /** The server is ours, and has one model: where it answers to that model's own name alone, that is used. */
  readonly hasOneModel?: boolean;
  readonly maxInFlight: number;
  readonly timeoutMs: number;
  /** Returns the bearer token of the server, called for every request; left out: none. */
  readonly key?: () => Promise<string | null>;
}): ChatClient {
  const { model, timeoutMs } = options;
  const limit = new InFlightLimit(options.maxInFlight);
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  let answered = 0;
  let dialect: Dialect = PLAIN_DIALECT;

  const ask = async (method: 'GET' | 'POST', path: string, body: string | null, signal: AbortSignal) => {
    const base = typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl();
    const url = `${base.replace(/(?<!\/)\/+$/, '')}${path}`;
    const agent = url.startsWith('https:') ? agents.https : agents.http;
    const key = (await options.key?.()) ?? null;
    const answer = await exchange({ method, url, body, agent, timeoutMs, signal, key });
    return key === null ? answer : hidden(answer, key);
  };

  const complete = async (
    request: CompletionRequest,
    signal: AbortSignal,
  ): Promise<Result<Completion, ChatFailure>> => {
    for (;;) {
      const used = dialect;
      const answer = await askPatiently(request, bodyOf(used.pinnedModel ?? model, request, used), signal);
      if (!answer.ok) return answer;
      const completion = readCompletion(answer.value.status, answer.value.body, request.isPlainText);
      if (completion.ok) return completion;
      // Another request may have changed the dialect in the meantime.
      const next = used === dialect ? dialectAfter(used, completion.error) : dialect;
      if (next === null || (next.pinnedModel !== null && options.hasOneModel !== true)) return completion;
      dialect = next;
    }
  };

  /** Keeps its slot while the server asks to wait: the server would send the next request away too. */
  const askPatiently = async (
    { isPlainText = false }: CompletionRequest,
    body: string,
    signal: AbortSignal,
  ): ReturnType<typeof exchange> => {
    const path = isPlainText ? '/completions' : '/chat/completions';
    const endMs = performance.now() + LONGEST_WAIT_MS;
    for (let attempt = 0; ; attempt++) {
      const answer = await ask('POST', path, body, signal);
      if (!answer.ok || !asksToWait(answer.value.status)) return answer;
      const left = endMs - performance.now();
      const pause = retryPauseMs(attempt, answer.value.retryAfterMs, left);
      if (pause === null) return answer;
      await sleepUnlessAborted(pause, signal);
      if (signal.aborted) return failed({ kind: 'cancelled' });
    }
  };

  return {
    complete: async (request, signal) => {
      const slot = await limit.enter(signal);
      if (!slot.ok) return failed({ kind: 'cancelled' });
      try {
        const completion = await complete(request, signal);
        if (completion.ok) answered += 1;
        return completion;
      } finally {
        slot.value();
      }
    },
    models: async (signal) => {
      const answer = await ask('GET', '/models', null, signal);
      return answer.ok ? readModels(answer.value.status, answer.value.body) : answer;
    },
    maxInFlight: options.maxInFlight,
    inFlight: () => limit.inFlight,
    answered: () => answered,
    dispose: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function bodyOf(
  model: string,
  { messages, isPlainText = false, sampling, seed, metadata }: CompletionRequest,
  dialect: Dialect,
): string {
  return JSON.stringify({
    model,
    ...(isPlainText ? { prompt: messages.map(({ content }) => content).join('') } : { messages }),
    seed,
    ...samplingFields(sampling, dialect),
    // OpenAI's metadata values are strings.
    ...(dialect.hasMetadata
      ? {
          metadata: {
            problem_id: metadata.problemId,
            session: metadata.session,
            ordinal: String(metadata.ordinal),
            parent: metadata.parent,
            turn: String(metadata.turn),
          },
        }
      : {}),
  });
}

function hidden(
  answer: Result<HttpAnswer, ChatFailure>,
  key: string | null,
): Result<HttpAnswer, ChatFailure> {
  if (answer.ok) return ok({ ...answer.value, body: withoutKey(answer.value.body, key) });
  const { error } = answer;
  return failed('message' in error ? { ...error, message: withoutKey(error.message, key) } : error);
}
