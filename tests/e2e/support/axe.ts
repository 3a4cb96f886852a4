import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS: RunOptions = {
  resultTypes: ['violations'],
  rules: {
    // Chromium gives each part that scrolls and holds nothing to focus a Tab stop of its own; axe does not know that.
    'scrollable-region-focusable': { enabled: false },
    // Menus and lists of options are drawn at the end of the page.
    region: { enabled: false },
    // Marks, counts and numbers of cells are named in words, which axe compares with what is drawn letter by letter.
    'label-content-name-mismatch': { enabled: false },
  },
};

/** The faults that axe finds on the page as it is now, a line each; empty: none. Themes differ in contrast alone. */
export async function axeFaults(page: Page, part: 'all' | 'contrast' = 'all'): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await source);
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (options) =>
      (window as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } }).axe.run(options),
    part === 'all' ? OPTIONS : { ...OPTIONS, rules: {}, runOnly: ['color-contrast'] },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, any, all, none }) =>
        `${id}: ${target.join(' ')} (${[...any, ...all, ...none][0]?.message ?? ''})`,
    ),
  );
}
