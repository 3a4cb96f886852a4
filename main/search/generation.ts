import type { Agent, ChatMessage, TreePart } from '../../preload/contract';
import { failed, type Result } from '../base';

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
  /** Digest (16 hex digits) of the program to refine; null for a first attempt or a parent without a program. */
  readonly parent: string | null;
  /** Requests of this agent in this tree that had the same `parent` before, failed ones left out. */
  readonly turn: number;
  readonly signal: Stop;
};

export type Generated = {
  readonly answer: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** length: cut by the limit on tokens; left out where the server does not say. */
  readonly end?: 'stop' | 'length';
};

export type GenerateFailure =
  /** A recorded agent has no sample with this ordinal. */
  | { readonly kind: 'exhausted'; readonly message: string }
  /** A recorded agent never refined this program. */
  | { readonly kind: 'no-refinement'; readonly message: string }
  /** No answer: unreachable, an error status, a time-out. Tried again. */
  | { readonly kind: 'server'; readonly message: string }
  /** Given up because of the request's signal. */
  | { readonly kind: 'stopped' };

export type Generate = (request: GenerateRequest) => Promise<Result<Generated, GenerateFailure>>;

/**
 * Pauses before the second, third and fourth try of a request (docs/search.md). How long one try may take is the
 * server's business (`requestTimeoutMs`), and so is waiting for one that starts again (server-desk.ts).
 */
export const RETRY_PAUSES_MS = [500, 1000, 2000] as const;

/** Tries until there is a value, a failure that trying again would not mend, or no pause left; null: stopped. */
export async function withRetries<T, E>(
  attempt: () => Promise<Result<T, E>>,
  mayPass: (error: E) => boolean,
  signal: Stop,
  sleep: (ms: number) => Promise<void>,
): Promise<Result<T, E> | null> {
  for (const pauseMs of [...RETRY_PAUSES_MS, null]) {
    if (signal.aborted) break;
    const answer = await attempt();
    if (answer.ok || !mayPass(answer.error) || pauseMs === null) {
      // A connection that our own stop cut looks like a failing server; it must not become a failed trial.
      if (!answer.ok && signal.aborted) break;
      return answer;
    }
    if (!signal.aborted) await sleep(pauseMs);
  }
  return null;
}

/** Asks until there is an answer, the tries are used up, or the search is stopped. */
export async function generateWithRetries(
  generate: Generate,
  request: GenerateRequest,
  sleep: (ms: number) => Promise<void>,
): Promise<Result<Generated, GenerateFailure>> {
  const answer = await withRetries(
    () => generate(request),
    (error) => error.kind === 'server',
    request.signal,
    sleep,
  );
  return answer ?? failed({ kind: 'stopped' });
}

/** Numbers requests of each kind from 0; a number whose request failed is given out again, lowest first. */
export class Ordinals {
  readonly #next = new Map<string, number>();
  readonly #returned = new Map<string, number[]>();

  take(kind: string): number {
    const returned = this.#returned.get(kind)?.shift();
    if (returned !== undefined) return returned;
    const next = this.#next.get(kind) ?? 0;
    this.#next.set(kind, next + 1);
    return next;
  }

  giveBack(kind: string, ordinal: number): void {
    const returned = [...(this.#returned.get(kind) ?? []), ordinal].sort((a, b) => a - b);
    this.#returned.set(kind, returned);
  }
}
