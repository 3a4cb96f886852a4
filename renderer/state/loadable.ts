import type { Answer, Refusal } from '../../preload/contract/refusal';

/** A value that comes from main. */
export type Loadable<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Refusal }
  | { readonly kind: 'ready'; readonly value: T };

export const LOADING = { kind: 'loading' } as const;

export function loaded<T>(answer: Answer<T>): Loadable<T> {
  return answer.ok ? { kind: 'ready', value: answer.value } : { kind: 'failed', error: answer.error };
}

/** The value if ready, else null. */
export function readyValue<T>(loadable: Loadable<T>): T | null {
  return loadable.kind === 'ready' ? loadable.value : null;
}

export function mapLoadable<T, U>(loadable: Loadable<T>, change: (value: T) => U): Loadable<U> {
  return loadable.kind === 'ready' ? { kind: 'ready', value: change(loadable.value) } : loadable;
}
