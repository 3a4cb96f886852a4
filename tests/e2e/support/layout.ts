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

/**
 * Cells of tables whose text is cut although other columns have that much room to spare in every row, and problems in
 * the status bar that are cut, a line each.
 */
export function cutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    /** What the text and marks of a cell would take, pixels. */
    const needed = (cell: Element): number => {
      const inner = [cell, ...cell.querySelectorAll('*')].filter((one) => one.checkVisibility());
      const cut = Math.max(0, ...inner.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
      const range = document.createRange();
      range.selectNodeContents(cell);
      return (cut > 1 ? cell.clientWidth : range.getBoundingClientRect().width) + cut;
    };
    /** Between two columns that are read apart, pixels. */
    const SLACK = 24;
    const faults: string[] = [];
    for (const table of document.querySelectorAll('[role="grid"]')) {
      const rows = [...table.querySelectorAll('[role="row"]')].map((row) =>
        [...row.querySelectorAll('[role="gridcell"], [role="columnheader"]')].map((cell) => ({
          spare: cell.clientWidth - needed(cell),
          text: cell.textContent,
          isHead: cell.role === 'columnheader',
        })),
      );
      const spare = rows[0]?.map((_, at) => Math.min(...rows.map((row) => row[at]?.spare ?? 0))) ?? [];
      const room = spare.reduce((sum, one) => sum + Math.max(0, one - SLACK), 0);
      for (const cell of rows.flat()) {
        if (!cell.isHead && cell.spare < -1 && room > -cell.spare)
          faults.push(`cut in a table with room: ${cell.text}`);
      }
    }
    const bar = document.querySelector('footer[aria-label="Status"]');
    const isCut = (one: Element): boolean =>
      one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth + 1;
    const problems = [...(bar?.querySelectorAll('[data-problem]') ?? [])].filter((one) =>
      one.checkVisibility(),
    );
    return [...faults, ...problems.filter(isCut).map(({ textContent }) => `cut in the bar: ${textContent}`)];
  });
}
