import { createStore } from 'zustand/vanilla';
import type { WorkbenchState } from '../../renderer/state';
import { parsePath, pathOf } from '../../renderer/state';

/** A location in memory, for stores that are tested without a window. */
export function memoryLocation(start = '/'): WorkbenchState['location'] {
  let past: string[] = [];
  const store = createStore(() => ({ path: start, route: parsePath(start) }));
  const show = (path: string): void => store.setState({ path, route: parsePath(path) }, true);
  const go = (path: string, replace: boolean): void => {
    if (!replace) past = [...past, store.getState().path];
    show(path);
  };
  return {
    store,
    go: (route, options) => go(pathOf(route), options?.replace ?? false),
    goToPath: (path) => go(path, false),
    back: () => {
      const before = past.at(-1);
      past = past.slice(0, -1);
      if (before !== undefined) show(before);
    },
    forward: () => {},
    dispose: () => {},
  };
}
