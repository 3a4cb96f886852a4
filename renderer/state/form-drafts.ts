import { createStore, type StoreApi } from 'zustand/vanilla';

/** Names a form's draft, with the draft of a fresh form. Each form declares its own. */
export type DraftKey<T> = { readonly name: string; readonly empty: T };

export type FormDrafts = StoreApi<ReadonlyMap<string, unknown>>;

/** Drafts of forms by name, so that a half-filled form survives switching screens. They end with the window. */
export function createFormDrafts(): FormDrafts {
  return createStore<ReadonlyMap<string, unknown>>(() => new Map());
}
