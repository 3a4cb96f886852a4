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

/** What of a window is needed: its hash and its history. */
type AddressedWindow = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>;

/** Chromium stops to listen to a page that changes its address more than some 20 times a second for long. */
const REPLACE_PACE_MS = 100;

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

  let waiting: ReturnType<typeof setTimeout> | null = null;
  let replacedAt = Number.NEGATIVE_INFINITY;
  const forget = (): void => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = null;
  };
  const replaceNow = (): void => {
    forget();
    replacedAt = performance.now();
    page.history.replaceState(null, '', `#${store.getState().address}`);
  };
  const settle = (): void => {
    if (waiting !== null) replaceNow();
  };

  // The user went elsewhere by the browser's own means: what still waits belongs to the place before.
  const changed = (): void => {
    forget();
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
    if (waiting !== null) return;
    const wait = replacedAt + REPLACE_PACE_MS - performance.now();
    if (wait <= 0) replaceNow();
    else waiting = setTimeout(replaceNow, wait);
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
      page.removeEventListener('hashchange', changed);
      page.removeEventListener('popstate', changed);
      page.removeEventListener('pagehide', settle);
    },
  };
}
