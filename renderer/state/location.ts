import { createStore, type StoreApi } from 'zustand/vanilla';
import { addressOf, type Place, parseAddress } from './address';
import { createThrottled } from './throttled';

export type Location = {
  readonly store: StoreApi<{ readonly address: string; readonly place: Place }>;
  /** `replace`: the place before it is not one to come back to (walking over nodes, sorting). */
  readonly go: (place: Place, how?: { readonly replace?: boolean }) => void;
  readonly goToAddress: (address: string) => void;
  readonly back: () => void;
  readonly forward: () => void;
  readonly dispose: () => void;
};

/** What of a window is needed: its hash and its history. */
type AddressedWindow = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>;

/** Chromium stops to listen to a page that changes its address more than some 20 times a second for long. */
const REPLACE_PACE_MS = 100;
/** There is one address to be replaced. */
const HERE = 'here';

/**
 * The place in the window's hash: history, back and forward are the browser's own. The place is always the newest; the
 * address follows a held key at its own pace.
 */
export function createLocation(page: AddressedWindow = window): Location {
  const addressOfPage = (): string => {
    const text = page.location.hash.replace(/^#/, '');
    return text === '' ? '/' : text;
  };
  const placed = (address: string) => ({ address, place: parseAddress(address) });
  const store = createStore(() => placed(addressOfPage()));
  const show = (address: string): void => {
    if (address !== store.getState().address) store.setState(placed(address), true);
  };

  const replacing = createThrottled(
    () => page.history.replaceState(null, '', `#${store.getState().address}`),
    REPLACE_PACE_MS,
  );
  const settle = (): void => replacing.settle(HERE);

  // The user went elsewhere by the browser's own means: what still waits belongs to the place before.
  const changed = (): void => {
    replacing.forget(HERE);
    show(addressOfPage());
  };
  page.addEventListener('hashchange', changed);
  page.addEventListener('popstate', changed);
  page.addEventListener('pagehide', settle);

  const push = (address: string): void => {
    if (address === store.getState().address) return;
    settle();
    page.history.pushState(null, '', `#${address}`);
    show(address);
  };
  const replace = (address: string): void => {
    if (address === store.getState().address) return;
    show(address);
    replacing.ask(HERE);
  };
  return {
    store,
    go: (place, how) => (how?.replace === true ? replace : push)(addressOf(place)),
    goToAddress: push,
    back: () => {
      settle();
      page.history.back();
    },
    forward: () => {
      settle();
      page.history.forward();
    },
    dispose: () => {
      settle();
      replacing.dispose();
      page.removeEventListener('hashchange', changed);
      page.removeEventListener('popstate', changed);
      page.removeEventListener('pagehide', settle);
    },
  };
}
