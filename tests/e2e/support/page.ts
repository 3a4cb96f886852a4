import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { project } from './app';

/** Pictures of the tests' own run; `node scripts/screenshots.mjs` puts some of them into docs/images. */
export const pictures = process.env.MARS2_SCREENSHOTS ?? join(project, 'test-results', 'screens');
mkdirSync(pictures, { recursive: true });

/** The screen as it is, in both themes. */
export async function picture(page: Page, name: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((value) => window.workbench.call('settings.change', { theme: value }), theme);
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
    await page.waitForTimeout(150); // canvases repaint in the next frames
    await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
  }
}

export const pathOf = (page: Page): Promise<string> => page.evaluate(() => window.location.hash.slice(1));
