import type { Page } from '@playwright/test';

/** Where lines may be longer than their box, which then scrolls by itself, as boxes around tables and code do. */
const LONG_LINES = '[role="log"], pre, textarea';
const SETTLING_TRIES = 20;

/**
 * What a person with a small window cannot reach, a line each: parts that scroll sideways, and controls that something
 * else covers or that end outside of the window. With a dialog open, of the dialog.
 */
export async function layoutFaults(page: Page): Promise<readonly string[]> {
  // A table leaves columns out a moment after its window has become smaller.
  for (let tries = 0; tries < SETTLING_TRIES; tries++) {
    if ((await faultsNow(page)).length === 0) return [];
    await page.waitForTimeout(100);
  }
  return await faultsNow(page);
}

function faultsNow(page: Page): Promise<readonly string[]> {
  return page.evaluate((longLines) => {
    const isShown = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
    const nameOf = (element: Element): string =>
      `${element.localName} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}"`;
    const scope = [...document.querySelectorAll('[role="dialog"]')].filter(isShown).at(-1) ?? document.body;
    const all = [scope, ...scope.querySelectorAll('*')].filter(isShown);
    const clips = (element: Element): boolean => getComputedStyle(element).overflowX !== 'visible';
    const sideways = all.filter(
      (element) =>
        ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) &&
        element.scrollWidth > element.clientWidth + 1 &&
        !element.matches(longLines) &&
        element.querySelector(':scope > :is(table, .cm-content)') === null,
    );
    /** The part of it that its boxes leave in sight; null: they have it scrolled away. */
    const visiblePart = (element: Element): DOMRect | null => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        if (!clips(box)) continue;
        const clip = box.getBoundingClientRect();
        [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
        [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
      }
      return right - left < 4 || bottom - top < 4 ? null : new DOMRect(left, top, right - left, bottom - top);
    };
    const unreachable = all.flatMap((element) => {
      if (!element.matches('button, a[href], input:not([type="hidden"]), select')) return [];
      const { left, right } = element.getBoundingClientRect();
      const seen = getComputedStyle(element).pointerEvents === 'none' ? null : visiblePart(element);
      if (seen === null) return [];
      if (right > innerWidth + 1 || left < -1) return [`outside: ${nameOf(element)}`];
      const top = document.elementFromPoint(seen.x + seen.width / 2, seen.y + seen.height / 2);
      const isReached =
        top === null || element.contains(top) || top.contains(element) || top.closest('label') !== null;
      return isReached ? [] : [`covered: ${nameOf(element)} by ${nameOf(top)}`];
    });
    return [...sideways.map((element) => `scrolls sideways: ${nameOf(element)}`), ...unreachable];
  }, LONG_LINES);
}
