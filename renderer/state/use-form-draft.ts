import { useCallback } from 'react';
import { useStore } from 'zustand';
import type { DraftKey } from './form-drafts';
import { useWorkbench } from './hooks';

/** The draft of a form, and the function that replaces it. */
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
