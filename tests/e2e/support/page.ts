import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

/** Where pictures go. Only when it is set are they taken: it is half a minute's work, and no test looks at them. */
const folder = process.env.MARS2_SCREENSHOTS;

/** The screen as it is; `node scripts/screenshots.mjs` puts some of them into docs/images. */
export async function snapshot(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  await page.waitForTimeout(150); // canvases repaint in the next frames
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The screen as it is, in both themes. */
export async function picture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((value) => window.workbench.call('settings.change', { theme: value }), theme);
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
    await snapshot(page, `${name}-${theme}`);
  }
}

export const pathOf = (page: Page): Promise<string> => page.evaluate(() => window.location.hash.slice(1));
