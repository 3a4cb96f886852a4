import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer } from '../../preload/contract/refusal';
import { type Loadable, loaded } from './loadable';

export type Resource<T> = {
  readonly store: StoreApi<ReadonlyMap<string, Loadable<T>>>;
  /** Keeps the value of this key loaded and current until the function given back is called. */
  readonly want: (key: string) => () => void;
  /** The value has changed in main: asks again when somebody wants it, else forgets it. */
  readonly refresh: (key: string) => void;
  /** The same for each key that fits. */
  readonly refreshWhere: (fits: (key: string) => boolean) => void;
  /** The same for every key. */
  readonly refreshAll: () => void;
  /** Main has told the new value itself. */
  readonly put: (key: string, value: T) => void;
};

/**
 * Values of main by key, each asked for once however many components want it. While one is asked for again the
 * old value stays; a change that comes during a request asks once more after it, so the last word wins.
 * `keep` values that nobody wants stay at hand, so going back shows them at once.
 */
export function createResource<T>(ask: (key: string) => Promise<Answer<T>>, keep = 50): Resource<T> {
  const store = createStore<ReadonlyMap<string, Loadable<T>>>(() => new Map());
  const wanted = new Map<string, number>();
  const asking = new Map<string, { again: boolean }>();

  const put = (key: string, value: Loadable<T>): void => {
    const next = new Map(store.getState());
    next.delete(key); // the newest stands last, so the oldest unwanted one is dropped first
    next.set(key, value);
    let surplus = next.size - wanted.size - keep;
    for (const old of next.keys()) {
      if (surplus <= 0) break;
      if (wanted.has(old) || old === key) continue;
      next.delete(old);
      surplus -= 1;
    }
    store.setState(next, true);
  };

  const load = async (key: string): Promise<void> => {
    const running = asking.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const request = { again: false };
    asking.set(key, request);
    const answer = await ask(key);
    asking.delete(key);
    put(key, loaded(answer));
    if (request.again) void load(key);
  };

  const refresh = (key: string): void => {
    if (wanted.has(key) || asking.has(key)) {
      void load(key);
    } else if (store.getState().has(key)) {
      const next = new Map(store.getState());
      next.delete(key);
      store.setState(next, true);
    }
  };

  const refreshWhere = (fits: (key: string) => boolean): void => {
    for (const key of new Set([...store.getState().keys(), ...wanted.keys()])) if (fits(key)) refresh(key);
  };

  return {
    store,
    want: (key) => {
      wanted.set(key, (wanted.get(key) ?? 0) + 1);
      const now = store.getState().get(key);
      // A refusal is asked again: what was missing may be there by now.
      if ((now === undefined || now.kind === 'failed') && !asking.has(key)) void load(key);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (wanted.get(key) ?? 1) - 1;
        if (left === 0) wanted.delete(key);
        else wanted.set(key, left);
      };
    },
    refresh,
    refreshWhere,
    refreshAll: () => refreshWhere(() => true),
    put: (key, value) => put(key, { kind: 'ready', value }),
  };
}
