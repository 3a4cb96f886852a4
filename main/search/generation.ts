import type { Agent, ChatMessage, TreePart } from '../../preload/contract';
import type { Result } from '../base';

/** May be asked to stop; an `AbortSignal` is one. */
export type Stop = { readonly aborted: boolean };

/** One request to one agent. Nothing but these values may decide the answer of a deterministic agent. */
export type GenerateRequest = {
  readonly agent: Agent;
  readonly messages: readonly ChatMessage[];
  /** In [0, 2^31). */
  readonly seed: number;
  readonly problemId: string;
  readonly part: TreePart;
  /** 0, 1, 2 ... per agent and tree, no number twice but after a failure: which sample a recorded agent gives. */
  readonly ordinal: number;
  readonly signal: Stop;
};

export type Generated = {
  readonly answer: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
};

export type GenerateFailure =
  /** A recorded agent has no sample with this ordinal. */
  | { readonly kind: 'exhausted'; readonly message: string }
  /** No answer: unreachable, an error status, a time-out. Tried again. */
  | { readonly kind: 'server'; readonly message: string }
  /** Given up because of the request's signal. */
  | { readonly kind: 'stopped' };

export type Generate = (request: GenerateRequest) => Promise<Result<Generated, GenerateFailure>>;

/** Pauses before the second, third and fourth try (docs/search.md: three more tries with growing pauses). */
const RETRY_PAUSES_MS = [500, 1000, 2000] as const;

/** Asks until there is an answer, the tries are used up, or the search is stopped. */
export async function generateWithRetries(
  generate: Generate,
  request: GenerateRequest,
  sleep: (ms: number) => Promise<void>,
): Promise<Result<Generated, GenerateFailure>> {
  for (const pauseMs of [...RETRY_PAUSES_MS, null]) {
    if (request.signal.aborted) break;
    const answer = await generate(request);
    if (answer.ok || answer.error.kind !== 'server' || pauseMs === null) {
      // A connection that our own stop cut looks like a failing server; it must not become a failed trial.
      if (!answer.ok && request.signal.aborted) break;
      return answer;
    }
    if (!request.signal.aborted) await sleep(pauseMs);
  }
  return { ok: false, error: { kind: 'stopped' } };
}

/** Numbers the requests of each agent in a tree; a number whose request failed is given out again, lowest first. */
export class Ordinals {
  readonly #next = new Map<string, number>();
  readonly #returned = new Map<string, number[]>();

  take(agentId: string): number {
    const returned = this.#returned.get(agentId)?.shift();
    if (returned !== undefined) return returned;
    const next = this.#next.get(agentId) ?? 0;
    this.#next.set(agentId, next + 1);
    return next;
  }

  giveBack(agentId: string, ordinal: number): void {
    const returned = [...(this.#returned.get(agentId) ?? []), ordinal].sort((a, b) => a - b);
    this.#returned.set(agentId, returned);
  }
}
