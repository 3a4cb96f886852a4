import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { hasSshd } from '../support/sshd';
import { type App, launchApp, temporaryData } from './support/app';
import { type Lab, startLab } from './support/lab';
import { addLab, closeTerminals, heading, openShell, screenOf } from './support/lab-window';
import { picture } from './support/page';

// What a person does on one machine, one thing after the other.

test.skip(!hasSshd, 'openssh-server is not installed');
const hasTmux = spawnSync('tmux', ['-V']).status === 0;

test.describe.configure({ mode: 'serial' });

let app: App;
let page: Page;
let data: Awaited<ReturnType<typeof temporaryData>>;
let lab: Lab;
const launch = async (): Promise<void> => {
  app = await launchApp(join(data.path, 'data'), lab.env);
  page = app.page;
};

test.beforeAll(async () => {
  data = await temporaryData();
  lab = await startLab();
  await launch();
});
test.afterAll(async () => {
  // A test that failed may have left the window hung or gone: the rest is cleared away all the same.
  await closeTerminals(page).catch(() => {});
  await app.close().catch(() => {});
  await lab.stop();
  await data.remove();
});

/** Its screen, connected, and no shell of an earlier test. */
async function openLab(): Promise<void> {
  await closeTerminals(page);
  await page.goto('workbench://app/index.html#/machines/lab');
  await expect(heading(page)).toBeVisible();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
}

test('a machine is added from the ssh config, seen, examined, and worked on', async () => {
  await addLab(page);
  await expect(heading(page)).toBeVisible();
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Facts of lab').getByText('Linux')).toBeVisible();

  await page.getByRole('button', { name: 'Check this machine' }).click();
  await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('region', { name: 'Doctor' }).getByRole('listitem')).not.toHaveCount(0);
  await picture(page, 'machine');

  await openShell(page);
  await page.keyboard.type('printf "%s|%s\\n" "grüße 漢字" $((6 * 7))');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('|42');
  await picture(page, 'terminal');
  expect(app.complaints).toEqual([]);
});

test('keys belong to the shell, but for the few that lead out of it', async () => {
  await openLab();
  await openShell(page);
  // The menu has Ctrl+N and Ctrl+1; a shell has Ctrl+N, Ctrl+W and Ctrl+K.
  await page.keyboard.type('echo one two');
  await page.keyboard.press('Control+w');
  await page.keyboard.press('Control+n');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('three');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('one three');
  expect(await page.evaluate(() => window.location.hash)).toContain('/terminals/');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('Shift+Escape');
  await expect(page.getByRole('tab', { name: 'lab' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('echo ba""ck');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('back');

  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('ready');
  await expect(page.getByText(/\d of \d/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+T');
  await expect(page.getByRole('tab')).toHaveCount(2);
  await expect(page.getByRole('tab', { name: 'lab 2' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+Tab');
  await expect(page.getByRole('tab', { name: 'lab', exact: true })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+Shift+W');
  await page.getByRole('button', { name: 'End the shell' }).click();
  await expect(page.getByRole('tab')).toHaveCount(1);
});

test('what is selected is copied, and what is copied is pasted', async () => {
  await openLab();
  await openShell(page);
  await page.keyboard.type('clear; echo a-long-word');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('a-long-word');
  await page.locator('.xterm-screen').click({ clickCount: 3, position: { x: 20, y: 8 } });
  await page.keyboard.press('Control+Shift+C');
  const copied = () => app.inMain(({ clipboard }) => clipboard.readText());
  await expect.poll(copied).toContain('a-long-word');

  await app.inMain(({ clipboard }) => clipboard.writeText('echo pasted-$((1 + 1))'));
  await page.keyboard.press('Control+Shift+V');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('pasted-2');
});

test('an address in a terminal leaves the app only after a question', async () => {
  // The question itself is the system's: here it is answered with "Open".
  await app.inMain(({ dialog, shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    Object.assign(dialog, { showMessageBox: async () => ({ response: 0, checkboxChecked: false }) });
    Object.assign(shell, {
      openExternal: async (url: string) => {
        opened.push(url);
      },
    });
  });
  await openLab();
  await openShell(page);
  await page.keyboard.type('clear; echo https://example.org/a?b=c');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('https://example.org/a?b=c>');
  const cell = { x: 60, y: 8 };
  await page.locator('.xterm-screen').hover({ position: { x: 90, y: 8 } });
  await page.locator('.xterm-screen').hover({ position: cell });
  await page.locator('.xterm-screen').click({ position: cell });
  await page.getByRole('button', { name: 'Open in the browser…' }).click();
  const opened = () => app.inMain(() => Reflect.get(globalThis, 'opened'));
  await expect.poll(opened).toEqual(['https://example.org/a?b=c']);
});

test('the doctor can be called off while a machine hangs', async () => {
  await openLab();
  const check = page.getByRole('button', { name: 'Check again' });
  await lab.sshd.freeze();
  try {
    await check.click();
    await page.getByRole('region', { name: 'Doctor' }).getByRole('button', { name: 'Cancel' }).click();
    await expect(check).toBeVisible();
  } finally {
    await lab.sshd.thaw();
  }
});

test('a cluster is added with its defaults, edited, and removed', async () => {
  await page.goto('workbench://app/index.html#/add-machine');
  await page.getByText('Slurm cluster').click();
  await page.getByRole('button', { name: 'Add and connect' }).click();
  await expect(page.getByText('Enter an ssh name')).toBeVisible();
  await page.getByLabel('This computer is a login node').check();
  await page.getByLabel('Partition').fill('gpu-long');
  await page.getByRole('button', { name: 'Add and connect' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Slurm on this computer' })).toBeVisible();
  await expect(page.getByLabel('Facts of Slurm on this computer')).toContainText('gpu-long');

  await page.getByRole('button', { name: 'More about Slurm on this computer' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Cluster');
  await page.getByLabel('Wall time, hours').fill('36');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cluster' })).toBeVisible();
  await expect(page.getByLabel('Facts of Cluster')).toContainText('36 h');

  await page.getByRole('button', { name: 'More about Cluster' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Machines' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Cluster' })).toHaveCount(0);
});

test('a shell outlives a cut and the workbench', async () => {
  test.skip(!hasTmux, 'tmux is not installed');
  await openLab();
  await openShell(page);
  await page.keyboard.type('kept=here; echo no""ted');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('noted');
  await lab.sshd.down();
  await expect(page.getByText('The connection is gone')).toBeVisible();
  await picture(page, 'terminal-cut');
  await lab.sshd.up();
  await expect(page.getByText('The connection is gone')).toHaveCount(0, { timeout: 60_000 });
  await page.keyboard.type('echo still-$kept');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('still-here');

  await app.close();
  await launch();
  await page.goto('workbench://app/index.html#/terminals');
  const tab = page.getByRole('tab', { name: 'lab' });
  const connect = page.getByRole('button', { name: 'Connect lab' });
  await expect(tab.or(connect)).toBeVisible();
  // It may be connected already, for the sake of something else, also just before the click.
  if (await connect.isVisible()) await connect.click({ timeout: 5_000 }).catch(() => undefined);
  await expect(tab).toBeVisible();
  await expect(screenOf(page)).toContainText('still-here');
  // It shows what it had before it takes keys.
  await expect(page.locator('section:not([hidden]) .xterm-helper-textarea')).toBeFocused();
  await page.keyboard.type('echo again-$kept');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('again-here');
});

test('a changed host key is shown as what it is, and not tried again', async () => {
  await openLab();
  await lab.sshd.changeHostKey();
  await lab.sshd.killSessions();
  const note = page.getByRole('alert');
  await expect(note).toContainText('The host key of lab has changed', { timeout: 60_000 });
  await expect(note).toContainText('ssh-keygen');
  await expect(note).toContainText('does not retry by itself');
  await picture(page, 'host-key');
});
