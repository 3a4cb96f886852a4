import { assertNever } from '../../base';

/** Why a completion failed. The search decides about retries. */
export type ChatFailure =
  /** No answer, or it broke off: refused connection, reset, an end in the middle. */
  | { readonly kind: 'transport'; readonly message: string }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
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
