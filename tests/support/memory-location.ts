import { createStore } from 'zustand/vanilla';
import type { WorkbenchState } from '../../renderer/state';
import { addressOf, parseAddress } from '../../renderer/state';

/** A place in memory, for stores that are tested without a window. */
export function memoryLocation(start = '/'): WorkbenchState['location'] {
  let past: string[] = [];
  const store = createStore(() => ({ address: start, place: parseAddress(start) }));
  const show = (address: string): void => store.setState({ address, place: parseAddress(address) }, true);
  const go = (address: string, replace: boolean): void => {
    if (!replace) past = [...past, store.getState().address];
    show(address);
  };
  return {
    store,
    go: (place, how) => go(addressOf(place), how?.replace ?? false),
    goToAddress: (address) => go(address, false),
    back: () => {
      const before = past.at(-1);
      past = past.slice(0, -1);
      if (before !== undefined) show(before);
    },
    forward: () => {},
    dispose: () => {},
  };
}
