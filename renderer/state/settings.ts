import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Settings } from '../../preload/contract/settings';
import type { WorkbenchClient } from '../workbench-client';
import { LOADING, type Loadable, loaded } from './loadable';
import type { Notices } from './notices';

export type SettingsState = {
  readonly store: StoreApi<Loadable<Settings>>;
  readonly load: () => Promise<void>;
  readonly onChanged: (settings: Settings) => void;
  /** Shown at once, then saved; reverted with a notice if main refuses. */
  readonly change: (part: Partial<Settings>) => Promise<void>;
};

export function createSettings(client: WorkbenchClient, notices: Notices): SettingsState {
  const store = createStore<Loadable<Settings>>(() => LOADING);
  const onChanged = (settings: Settings): void => store.setState({ kind: 'ready', value: settings }, true);
  return {
    store,
    load: async () => {
      store.setState(loaded(await client.call('settings.read', {})), true);
    },
    onChanged,
    change: async (part) => {
      const before = store.getState();
      if (before.kind === 'ready') onChanged({ ...before.value, ...part });
      const answer = await client.call('settings.change', part);
      if (answer.ok) {
        onChanged(answer.value);
      } else {
        store.setState(before, true);
        notices.showRefusal(answer.error);
      }
    },
  };
}
