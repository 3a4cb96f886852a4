import { act } from 'react';
import { onTestFinished } from 'vitest';

const SIZE = { width: 600, height: 300 };

/** happy-dom gives nothing a size and tells of none, and a table or chart draws nothing before it knows its own. */
export function giveElementsSize(): void {
  const { offsetWidth, offsetHeight } = Object.getOwnPropertyDescriptors(HTMLElement.prototype);
  Object.defineProperties(HTMLElement.prototype, {
    offsetWidth: { configurable: true, get: () => SIZE.width },
    offsetHeight: { configurable: true, get: () => SIZE.height },
  });
  const observer = globalThis.ResizeObserver;
  globalThis.ResizeObserver = class extends observer {
    readonly #tell: ResizeObserverCallback;
    constructor(tell: ResizeObserverCallback) {
      super(tell);
      this.#tell = tell;
    }
    override observe(target: Element): void {
      const contentRect = new DOMRect(0, 0, SIZE.width, SIZE.height);
      const box = [{ inlineSize: SIZE.width, blockSize: SIZE.height }];
      const boxes = { borderBoxSize: box, contentBoxSize: box, devicePixelContentBoxSize: box };
      queueMicrotask(() => this.#tell([{ target, contentRect, ...boxes }], this));
    }
  };
  onTestFinished(() => {
    globalThis.ResizeObserver = observer;
    Object.defineProperties(HTMLElement.prototype, {
      ...(offsetWidth && { offsetWidth }),
      ...(offsetHeight && { offsetHeight }),
    });
  });
}

/** As Shift+F10 does: the event comes from what has the focus, and has no place of the pointer. */
export async function openMenuFrom(element: Element | null): Promise<void> {
  await act(async () => {
    element?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  });
}

/** As the right button does. */
export async function rightClick(element: Element | null, at = { clientX: 0, clientY: 0 }): Promise<void> {
  await act(async () => {
    element?.dispatchEvent(
      new MouseEvent('contextmenu', { bubbles: true, cancelable: true, button: 2, ...at }),
    );
  });
}

/** What the open menus offer, in order. */
export function menuEntries(): readonly string[] {
  return [...document.querySelectorAll('[role="menuitem"]')].map(({ textContent }) => textContent ?? '');
}

/** What is copied from now on, in order. */
export function copiedTexts(): readonly string[] {
  const copied: string[] = [];
  const before = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void copied.push(text) },
  });
  onTestFinished(() => {
    if (before === undefined) Reflect.deleteProperty(navigator, 'clipboard');
    else Object.defineProperty(navigator, 'clipboard', before);
  });
  return copied;
}
