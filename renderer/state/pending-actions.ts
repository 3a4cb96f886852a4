import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer } from '../../preload/contract/refusal';
import type { Notices } from './notices';

export type PendingActions<Deed> = {
  /** What is being asked now, until main has answered; by the id of the thing. */
  readonly store: StoreApi<ReadonlyMap<string, Deed>>;
  /** Marks the thing while the work goes on. The value, or null after the refusal was told. */
  readonly run: <T>(id: string, action: Deed, work: Promise<Answer<T>>) => Promise<T | null>;
};

/** What a person has pressed and main has not answered yet, so that the button can say so. */
export function createPendingActions<Deed>(notices: Notices): PendingActions<Deed> {
  const store = createStore<ReadonlyMap<string, Deed>>(() => new Map());
  return {
    store,
    run: async (id, action, work) => {
      store.setState(new Map(store.getState()).set(id, action), true);
      const answer = await work;
      const left = new Map(store.getState());
      left.delete(id);
      store.setState(left, true);
      if (answer.ok) return answer.value;
      notices.showRefusal(answer.error);
      return null;
    },
  };
}
