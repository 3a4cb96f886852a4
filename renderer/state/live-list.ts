import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer } from '../../preload/contract/refusal';
import { LOADING, type Loadable, loaded } from './loadable';

type Listed = { readonly id: string /** ISO date. */; readonly createdAt: string };

export type LiveList<T> = {
  readonly store: StoreApi<Loadable<readonly T[]>>;
  readonly load: () => Promise<void>;
  readonly changed: (item: T) => void;
  readonly removed: (id: string) => void;
};

/** Newest first; ties are broken by id, so the order is stable. */
function newestFirst<T extends Listed>(items: readonly T[]): readonly T[] {
  return [...items].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || (a.id < b.id ? -1 : 1));
}

/** The list with this item replaced, or inserted if new. */
export function withItem<T extends Listed>(items: readonly T[], item: T): readonly T[] {
  const at = items.findIndex(({ id }) => id === item.id);
  return at === -1 ? newestFirst([item, ...items]) : items.with(at, item);
}

/** Identity and order of the items. */
type ListOrder<T> = {
  readonly idOf: (item: T) => string;
  readonly withItem: (items: readonly T[], item: T) => readonly T[];
  readonly sorted: (items: readonly T[]) => readonly T[];
};

/** A list that main sends once, followed by changes. Changes that arrive while it loads are applied afterwards. */
export function createLiveList<T>(
  ask: () => Promise<Answer<T[]>>,
  { idOf, withItem: placed, sorted: arranged }: ListOrder<T>,
): LiveList<T> {
  const store = createStore<Loadable<readonly T[]>>(() => LOADING);
  // Received while the list loads: newer than the list.
  let pendingChanges: ((items: readonly T[]) => readonly T[])[] = [];
  const apply = (change: (items: readonly T[]) => readonly T[]): void => {
    const now = store.getState();
    if (now.kind === 'ready') store.setState({ kind: 'ready', value: change(now.value) }, true);
    else pendingChanges.push(change);
  };
  return {
    store,
    load: async () => {
      store.setState(LOADING, true);
      pendingChanges = [];
      const next = loaded(await ask());
      const changes = pendingChanges;
      pendingChanges = [];
      if (next.kind !== 'ready') {
        store.setState(next, true);
        return;
      }
      const value = changes.reduce((items, change) => change(items), arranged(next.value));
      store.setState({ kind: 'ready', value }, true);
    },
    changed: (item) => apply((items) => placed(items, item)),
    removed: (id) => apply((items) => items.filter((item) => idOf(item) !== id)),
  };
}

/** The newest first. */
export function createNewestFirst<T extends Listed>(ask: () => Promise<Answer<T[]>>): LiveList<T> {
  return createLiveList(ask, { idOf: ({ id }) => id, withItem, sorted: newestFirst });
}
