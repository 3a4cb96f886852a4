import { createStore, type StoreApi } from 'zustand/vanilla';
import { parsePath, pathOf, type Route } from './routes';
import { createThrottled } from './throttled';

export type Location = {
  readonly store: StoreApi<{ readonly path: string; readonly route: Route }>;
  /** `replace`: adds no history entry (walking over nodes, sorting). */
  readonly go: (route: Route, how?: { readonly replace?: boolean }) => void;
  readonly goToPath: (path: string) => void;
  readonly back: () => void;
  readonly forward: () => void;
  readonly dispose: () => void;
};

/** The part of a window that is needed: its hash and its history. */
type HashWindow = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>;

/** Chromium ignores a page that keeps changing its address more than about 20 times a second. */
const REPLACE_PAUSE_MS = 100;
const REPLACE_KEY = 'here';

/**
 * The route in the window's hash; history, back and forward are the browser's own. The route is updated at once, the
 * address bar at a limited rate while a key is held.
 */
export function createLocation(page: HashWindow = window): Location {
  const currentPath = (): string => {
    const text = page.location.hash.replace(/^#/, '');
    return text === '' ? '/' : text;
  };
  const parsed = (path: string) => ({ path, route: parsePath(path) });
  const store = createStore(() => parsed(currentPath()));
  const show = (path: string): void => {
    if (path !== store.getState().path) store.setState(parsed(path), true);
  };

  const replaceLater = createThrottled(
    () => page.history.replaceState(null, '', `#${store.getState().path}`),
    REPLACE_PAUSE_MS,
  );
  const flush = (): void => replaceLater.flush(REPLACE_KEY);

  // Back, forward or a typed address: a pending replacement belongs to the route before it.
  const changed = (): void => {
    replaceLater.cancel(REPLACE_KEY);
    show(currentPath());
  };
  page.addEventListener('hashchange', changed);
  page.addEventListener('popstate', changed);
  page.addEventListener('pagehide', flush);
  // A link changes the hash by itself: what is still to be written belongs to the entry that it leaves.
  page.addEventListener('click', flush, true);

  const push = (path: string): void => {
    if (path === store.getState().path) return;
    flush();
    page.history.pushState(null, '', `#${path}`);
    show(path);
  };
  const replace = (path: string): void => {
    if (path === store.getState().path) return;
    show(path);
    replaceLater.schedule(REPLACE_KEY);
  };
  return {
    store,
    go: (route, how) => (how?.replace === true ? replace : push)(pathOf(route)),
    goToPath: push,
    back: () => {
      flush();
      page.history.back();
    },
    forward: () => {
      flush();
      page.history.forward();
    },
    dispose: () => {
      flush();
      replaceLater.dispose();
      page.removeEventListener('hashchange', changed);
      page.removeEventListener('popstate', changed);
      page.removeEventListener('pagehide', flush);
      page.removeEventListener('click', flush, true);
    },
  };
}
