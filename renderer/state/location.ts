import { createStore, type StoreApi } from 'zustand/vanilla';
import { addressOf, type Place, parseAddress } from './address';

export type Location = {
  readonly store: StoreApi<{ readonly address: string; readonly place: Place }>;
  /** `replace`: the place before it is not one to come back to (walking over nodes, sorting). */
  readonly go: (place: Place, how?: { readonly replace?: boolean }) => void;
  readonly goToAddress: (address: string) => void;
  readonly back: () => void;
  readonly forward: () => void;
  readonly dispose: () => void;
};

function addressOfWindow(): string {
  const text = window.location.hash.replace(/^#/, '');
  return text === '' ? '/' : text;
}

/** The place in the window's hash: history, back and forward are the browser's own. */
export function createLocation(): Location {
  const read = () => {
    const address = addressOfWindow();
    return { address, place: parseAddress(address) };
  };
  const store = createStore(read);
  const changed = (): void => {
    if (addressOfWindow() !== store.getState().address) store.setState(read(), true);
  };
  window.addEventListener('hashchange', changed);
  window.addEventListener('popstate', changed);
  const write = (address: string, replace: boolean): void => {
    if (address === store.getState().address) return;
    if (replace) window.history.replaceState(null, '', `#${address}`);
    else window.history.pushState(null, '', `#${address}`);
    changed();
  };
  return {
    store,
    go: (place, how) => write(addressOf(place), how?.replace ?? false),
    goToAddress: (address) => write(address, false),
    back: () => window.history.back(),
    forward: () => window.history.forward(),
    dispose: () => {
      window.removeEventListener('hashchange', changed);
      window.removeEventListener('popstate', changed);
    },
  };
}
