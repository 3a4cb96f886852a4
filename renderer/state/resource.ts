import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer } from '../../preload/contract/refusal';
import { type Loadable, loaded } from './loadable';

export type Resource<T> = {
  readonly store: StoreApi<ReadonlyMap<string, Loadable<T>>>;
  /** Keeps the value of this key loaded and current until the returned function is called. */
  readonly subscribe: (key: string) => () => void;
  /** The value has changed in main: reloads it if subscribed, else drops it. */
  readonly refresh: (key: string) => void;
  /** The same for each matching key. */
  readonly refreshMatching: (fits: (key: string) => boolean) => void;
  /** The same for every key. */
  readonly refreshAll: () => void;
  /** Main has sent the new value. */
  readonly put: (key: string, value: T) => void;
};

/**
 * Values of main by key, each requested once however many components subscribe. While one is reloaded, the old value
 * stays; a change during a request triggers one more request, so the latest value wins. `cacheSize` values without
 * subscribers stay cached, so going back shows them at once.
 */
export function createResource<T>(ask: (key: string) => Promise<Answer<T>>, cacheSize = 50): Resource<T> {
  const store = createStore<ReadonlyMap<string, Loadable<T>>>(() => new Map());
  const subscribers = new Map<string, number>();
  const inFlight = new Map<string, { again: boolean }>();

  const put = (key: string, value: Loadable<T>): void => {
    const next = new Map(store.getState());
    next.delete(key); // the newest stands last, so the oldest unwanted one is dropped first
    next.set(key, value);
    let surplus = next.size - subscribers.size - cacheSize;
    for (const old of next.keys()) {
      if (surplus <= 0) break;
      if (subscribers.has(old) || old === key) continue;
      next.delete(old);
      surplus -= 1;
    }
    store.setState(next, true);
  };

  const load = async (key: string): Promise<void> => {
    const running = inFlight.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const request = { again: false };
    inFlight.set(key, request);
    const answer = await ask(key);
    inFlight.delete(key);
    put(key, loaded(answer));
    if (request.again) void load(key);
  };

  const refresh = (key: string): void => {
    if (subscribers.has(key) || inFlight.has(key)) {
      void load(key);
    } else if (store.getState().has(key)) {
      const next = new Map(store.getState());
      next.delete(key);
      store.setState(next, true);
    }
  };

  const refreshMatching = (fits: (key: string) => boolean): void => {
    for (const key of new Set([...store.getState().keys(), ...subscribers.keys()]))
      if (fits(key)) refresh(key);
  };

  return {
    store,
    subscribe: (key) => {
      subscribers.set(key, (subscribers.get(key) ?? 0) + 1);
      const now = store.getState().get(key);
      // A failed value is requested again: the cause may be gone by now.
      if ((now === undefined || now.kind === 'failed') && !inFlight.has(key)) void load(key);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (subscribers.get(key) ?? 1) - 1;
        if (left === 0) subscribers.delete(key);
        else subscribers.set(key, left);
      };
    },
    refresh,
    refreshMatching,
    refreshAll: () => refreshMatching(() => true),
    put: (key, value) => put(key, { kind: 'ready', value }),
  };
}
