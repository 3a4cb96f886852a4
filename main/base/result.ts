import type { Refusal } from '../../preload/contract';

/** Success and ordinary failure have one shape, so that neither is ever `undefined` (style.md, habit 8). */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failed<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** A refusal where an error is expected. */
export class RefusalError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.hint === undefined ? refusal.message : `${refusal.message} ${refusal.hint}`);
    this.name = 'RefusalError';
    this.refusal = refusal;
  }
}

/** The value; throws a refusal as an error, for work that runs in a reconciler, which reports errors. */
export function orThrow<T>(result: Result<T, Refusal>): T {
  if (!result.ok) throw new RefusalError(result.error);
  return result.value;
}
