import { useCallback } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { useWorkbench } from './hooks';

/** Names a form's draft; its type is that of the draft. Each form declares its own. */
export type DraftKey<T> = { readonly name: string; readonly empty: T };

export type FormDrafts = StoreApi<ReadonlyMap<string, unknown>>;

/** Drafts of forms by name, so that a half-filled form survives switching screens. They end with the window. */
export function createFormDrafts(): FormDrafts {
  return createStore<ReadonlyMap<string, unknown>>(() => new Map());
}

/** The draft of a form and how to replace it. */
export function useFormDraft<T>(key: DraftKey<T>): readonly [T, (draft: T) => void] {
  const { drafts } = useWorkbench();
  // Only this hook writes under the key, so the value has the key's type.
  const draft = useStore(drafts, (all) => (all.has(key.name) ? (all.get(key.name) as T) : key.empty));
  const change = useCallback(
    (next: T): void => drafts.setState((all) => new Map(all).set(key.name, next), true),
    [drafts, key],
  );
  return [draft, change];
}
