import { assertNever } from '../../base';

/** Why a completion failed. The search decides about retries. */
export type ChatFailure =
  /** No answer, or it broke off: refused connection, reset, an end in the middle. */
  | { readonly kind: 'transport'; readonly message: string }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  /** The server answers, but now for other models than the one that was asked for. */
  | { readonly kind: 'other-model'; readonly message: string }
  /** The server answered with an error status. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** A recorded model has no unused sample of this problem left. */
  | { readonly kind: 'exhausted'; readonly message: string }
  /** A recorded model has no (further) refinement of this program; it may have others elsewhere. */
  | { readonly kind: 'no-refinement'; readonly message: string }
  /** The server answered with something that is no chat completion. */
  | { readonly kind: 'malformed'; readonly message: string }
  /** The caller gave up. */
  | { readonly kind: 'cancelled' };

/** A sentence for journals and people. */
export function describeChatFailure(failure: ChatFailure): string {
  switch (failure.kind) {
    case 'transport':
      return `The model server could not be reached: ${failure.message}.`;
    case 'timeout':
      return `The model server did not answer within ${failure.timeoutMs / 1000} s.`;
    case 'refused':
      return `The model server refused the request with status ${failure.status}: ${failure.message}`;
    case 'other-model':
    case 'exhausted':
    case 'no-refinement':
      return failure.message;
    case 'malformed':
      return `The model server's answer cannot be used: ${failure.message}.`;
    case 'cancelled':
      return 'The request was cancelled.';
    default:
      return assertNever(failure);
  }
}

/** Longest total wait for a rate-limited server; a quota of an hour must not hold a study's slot. */
export const LONGEST_WAIT_MS = 600_000;
const SHORTEST_PAUSE_MS = 100;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Statuses that say "later", not "no". */
export function asksToWait(status: number): boolean {
  return status === 429 || status === 503;
}

/**
 * Milliseconds before repetition number `attempt`, from 0: what the server asks for (null: nothing), else twice as long
 * each time up to a minute. null: longer than the time that is `left`.
 */
export function retryPauseMs(attempt: number, retryAfterMs: number | null, left: number): number | null {
  const pause =
    retryAfterMs === null
      ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
      : Math.max(SHORTEST_PAUSE_MS, retryAfterMs);
  return pause <= left ? pause : null;
}

const HIDDEN_KEY = '(key)';

/** Hides a key that a server repeats in an error, so that no journal or window shows it. */
export function withoutKey(text: string, key: string | null): string {
  return key === null || key === '' ? text : text.replaceAll(key, HIDDEN_KEY);
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Why a key must not be sent to `address`, a parsed URL: only https and this computer itself may get it. null: it may
 * be sent.
 */
export function keyProblem({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): string | null {
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return null;
  return `The key would be sent to ${hostname} unencrypted: use https, or forward the port to this computer (ssh -L) and use its 127.0.0.1.`;
}
