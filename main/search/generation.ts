import type { Agent, ChatMessage, TreePart } from '../../preload/contract';
import { failed, type Result } from '../base';

/** A request to stop; an `AbortSignal` is one. */
export type Stop = { readonly aborted: boolean };

/** One request to one agent. The answer of a deterministic agent depends on these values only. */
export type GenerationRequest = {
  readonly agent: Agent;
  readonly messages: readonly ChatMessage[];
  /** In [0, 2^31). */
  readonly seed: number;
  readonly problemId: string;
  readonly part: TreePart;
  /** 0, 1, 2 ... per agent and tree; reused only after a failure. Selects the sample of a recorded agent. */
  readonly ordinal: number;
  /** Digest (16 hex digits) of the program to refine; null for a first attempt or a parent without a program. */
  readonly parent: string | null;
  /** Number of earlier requests of this agent in this tree with the same `parent`, without failed ones. */
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

export type GenerationFailure =
  /** A recorded agent has no sample with this ordinal. */
  | { readonly kind: 'exhausted'; readonly message: string }
  /** A recorded agent never refined this program. */
  | { readonly kind: 'no-refinement'; readonly message: string }
  /** No answer: unreachable, an error status, a time-out. Tried again. */
  | { readonly kind: 'server'; readonly message: string }
  /** Cancelled by the request's signal. */
  | { readonly kind: 'stopped' };

/** `Answer`: what the generator knows of its answer beyond what the search needs, e.g. its tokens. */
export type Generate<Answer extends Generated = Generated> = (
  request: GenerationRequest,
) => Promise<Result<Answer, GenerationFailure>>;

/**
 * Pauses before the second, third and fourth attempt of a request (docs/search.md). The server client limits how long
 * one attempt takes (`requestTimeoutMs`), and waits for servers that restart.
 */
export const RETRY_PAUSES_MS = [500, 1000, 2000] as const;

/** Retries until there is a value, a failure that is not transient, or no attempt left; null: stopped. */
export async function withRetries<T, E>(
  attempt: () => Promise<Result<T, E>>,
  isTransient: (error: E) => boolean,
  signal: Stop,
  sleep: (ms: number) => Promise<void>,
): Promise<Result<T, E> | null> {
  for (const pauseMs of [...RETRY_PAUSES_MS, null]) {
    if (signal.aborted) break;
    const answer = await attempt();
    if (answer.ok || !isTransient(answer.error) || pauseMs === null) {
      // A connection cut by our own stop looks like a failing server; it must not become a failed trial.
      if (!answer.ok && signal.aborted) break;
      return answer;
    }
    if (!signal.aborted) await sleep(pauseMs);
  }
  return null;
}

/** Requests until there is an answer, no attempt is left, or the search is stopped. */
export async function generateWithRetries<Answer extends Generated>(
  generate: Generate<Answer>,
  request: GenerationRequest,
  sleep: (ms: number) => Promise<void>,
): Promise<Result<Answer, GenerationFailure>> {
  const answer = await withRetries(
    () => generate(request),
    (error) => error.kind === 'server',
    request.signal,
    sleep,
  );
  return answer ?? failed({ kind: 'stopped' });
}

/** Numbers requests of each kind from 0; the number of a failed request is reused, lowest first. */
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
