import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Answer } from '../../preload/contract/refusal';
import type { Notices } from './notices';

export type PendingActions<Action> = {
  /** Actions that main has not answered yet, by id of the object. */
  readonly store: StoreApi<ReadonlyMap<string, Action>>;
  /** Marks the object while the work runs. Returns the value, or null after showing the refusal. */
  readonly run: <T>(id: string, action: Action, work: Promise<Answer<T>>) => Promise<T | null>;
};

/** Pending actions, so that buttons can show them. */
export function createPendingActions<Action extends string>(notices: Notices): PendingActions<Action> {
  const store = createStore<ReadonlyMap<string, Action>>(() => new Map());
  return {
    store,
    run: async (id, action, work) => {
      store.setState(new Map(store.getState()).set(id, action), true);
      const answer = await work;
      const left = new Map(store.getState());
      left.delete(id);
      store.setState(left, true);
      if (answer.ok) return answer.value;
      // Each begins with its verb: "stop", "fetch reader-000300".
      notices.showRefusal(answer.error, `Could not ${action.split(' ')[0]} it`);
      return null;
    },
  };
}
