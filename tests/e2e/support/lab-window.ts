import { expect, type Page } from '@playwright/test';

export async function closeTerminals(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const listed = await window.workbench.call('terminal.list', {});
    if (!listed.ok) return;
    for (const { id } of listed.value) await window.workbench.call('terminal.close', { terminalId: id });
  });
}

/** Adds the lab from the hosts of the ssh config. */
export async function addLab(page: Page): Promise<void> {
  await page.goto('workbench://app/index.html#/machines');
  await page.getByRole('button', { name: 'Add machine' }).click();
  await page.getByRole('button', { name: 'lab', exact: true }).click();
  await page.getByRole('button', { name: 'Add and connect' }).click();
}

export const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'lab' });
export const screenOf = (page: Page) => page.locator('section:not([hidden]) .xterm-rows');

export async function openShell(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open terminal' }).click();
  // A key that is pressed before the shell asks for one can be lost.
  await expect(screenOf(page)).toContainText(/[#$%>]/);
  // Without a locale a shell takes what is beyond ASCII for commands of its line editor.
  await page.keyboard.type('export LC_ALL=C.UTF-8; PS1="> "; echo re""ady');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('ready');
}
