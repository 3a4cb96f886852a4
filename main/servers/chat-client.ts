import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Agent } from '../../preload/contract';
import { type Disposable, failed, type Result } from '../base';
import { exchange } from './http-exchange';
import { InFlightLimit } from './in-flight-limit';
import { type Completion, readCompletion, readModels } from './logic/chat-answer';
import type { ChatFailure } from './logic/chat-failure';
import type { ChatMessage } from './logic/chat-request';

export type CompletionRequest = {
  readonly messages: readonly ChatMessage[];
  readonly sampling: Agent['sampling'];
  /** Integer from 0. */
  readonly seed: number;
  /** Tells a recorded model which sample is meant; other servers ignore it. */
  readonly metadata: { readonly problemId: string; readonly session: string; readonly ordinal: number };
};

export type ChatClient = Disposable & {
  /** One completion. Waits for its turn first; the time-out runs from the sending. Never rejects. */
  readonly complete: (
    request: CompletionRequest,
    signal: AbortSignal,
  ) => Promise<Result<Completion, ChatFailure>>;
  /** The models the server lists; outside of the limit. */
  readonly models: (signal: AbortSignal) => Promise<Result<readonly string[], ChatFailure>>;
  /** Most requests that the server is given at a time. */
  readonly maxInFlight: number;
  /** Requests that the server has now. */
  readonly inFlight: () => number;
  /** Completions that came. */
  readonly answered: () => number;
};

/**
 * A client of one model behind an OpenAI-compatible API. `baseUrl` (with its "/v1") may be a function, for a server
 * whose port changes when it is started again. `timeoutMs` bounds one whole exchange.
 */
export function createChatClient(options: {
  readonly baseUrl: string | (() => string);
  readonly model: string;
  readonly maxInFlight: number;
  readonly timeoutMs: number;
}): ChatClient {
  const { model, timeoutMs } = options;
  const limit = new InFlightLimit(options.maxInFlight);
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
  let answered = 0;

  const ask = (method: 'GET' | 'POST', path: string, body: string | null, signal: AbortSignal) => {
    const base = typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl();
    const url = `${base.replace(/\/+$/, '')}${path}`;
    const agent = url.startsWith('https:') ? agents.https : agents.http;
    return exchange({ method, url, body, agent, timeoutMs, signal });
  };

  return {
    complete: async (request, signal) => {
      const slot = await limit.enter(signal);
      if (!slot.ok) return failed({ kind: 'cancelled' });
      try {
        const answer = await ask('POST', '/chat/completions', bodyOf(model, request), signal);
        if (!answer.ok) return answer;
        const completion = readCompletion(answer.value.status, answer.value.body);
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

function bodyOf(model: string, { messages, sampling, seed, metadata }: CompletionRequest): string {
  return JSON.stringify({
    model,
    messages,
    seed,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    max_tokens: sampling.maxTokens,
    // OpenAI's metadata values are strings.
    metadata: {
      problem_id: metadata.problemId,
      session: metadata.session,
      ordinal: String(metadata.ordinal),
    },
  });
}
