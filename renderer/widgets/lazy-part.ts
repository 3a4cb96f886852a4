import { type ComponentType, lazy, type ReactElement } from 'react';

/** A part of the window could not be loaded: its files are gone, for example since a newer version was built. */
export class PartNotLoadedError extends Error {
  override readonly name = 'PartNotLoadedError';
}

/** A component that is loaded when it is first shown. Where it cannot be loaded, it throws a `PartNotLoadedError`. */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
) {
  const part = lazy(async () => {
    try {
      return { default: pick(await load()) };
    } catch (cause) {
      throw new PartNotLoadedError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  });
  return Object.assign(part, { load });
}

/**
 * Loads the screen that a link leads to when the pointer or the focus comes to the link, so that it opens at once. One that
 * cannot be loaded says so where it is shown. The function given back ends it.
 */
export function loadLinkedScreens(page: Document, screenOf: (path: string) => ReactElement): () => void {
  const onNear = ({ target }: Event): void => {
    const link = target instanceof Element ? target.closest('a')?.getAttribute('href') : null;
    if (!link?.startsWith('#/')) return;
    const screen: unknown = screenOf(link.slice(1)).type;
    if (isLoaded(screen)) screen.load().catch(() => undefined);
  };
  page.addEventListener('pointerover', onNear);
  page.addEventListener('focusin', onNear);
  return () => {
    page.removeEventListener('pointerover', onNear);
    page.removeEventListener('focusin', onNear);
  };
}

const isLoaded = (screen: unknown): screen is { readonly load: () => Promise<unknown> } =>
  typeof screen === 'object' && screen !== null && 'load' in screen && typeof screen.load === 'function';
