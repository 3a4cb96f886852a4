import { type ComponentType, lazy } from 'react';

/** A part of the window could not be loaded: its files are gone, for example since a newer version was built. */
export class PartNotLoadedError extends Error {
  override readonly name = 'PartNotLoadedError';
}

/** A component that is loaded when it is first shown. Where it cannot be loaded, it throws a `PartNotLoadedError`. */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
) {
  return lazy(async () => {
    try {
      return { default: pick(await load()) };
    } catch (cause) {
      throw new PartNotLoadedError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  });
}

/**
 * Loads parts one by one, each when the window has nothing else to do, so that they open at once later. One that cannot be
 * loaded says so where it is shown. The function given back ends it.
 */
export function preloadParts(parts: ReadonlyArray<() => Promise<unknown>>): () => void {
  let idle = 0;
  let ended = false;
  const next = (at: number): void => {
    const load = parts[at];
    if (load === undefined || ended) return;
    idle = window.requestIdleCallback(() => {
      load()
        .catch(() => undefined)
        .finally(() => next(at + 1));
    });
  };
  next(0);
  return () => {
    ended = true;
    window.cancelIdleCallback(idle);
  };
}
