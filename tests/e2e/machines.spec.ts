import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { healthyCard, nvidiaStandIn } from '../support/nvidia-stand-in';
import { hasSshd, hasSshdAccounts } from '../support/sshd';
import { type App, launchApp, temporaryData } from './support/app';
import { type Lab, startLab } from './support/lab';
import { addLab, closeTerminals } from './support/lab-window';
import { picture } from './support/page';

test.skip(!hasSshd, 'openssh-server is not installed');

/** An app whose user's ssh knows the lab; both gone afterwards, with the shells that were left open. */
async function withLab(
  options: Parameters<typeof startLab>[0],
  work: (context: { readonly lab: Lab; readonly launch: () => Promise<App> }) => Promise<void>,
): Promise<void> {
  const data = await temporaryData();
  const lab = await startLab(options);
  let open: App | null = null;
  try {
    await work({
      lab,
      launch: async () => {
        await open?.close();
        open = await launchApp(join(data.path, 'data'), lab.env);
        return open;
      },
    });
  } finally {
    const app = open as App | null;
    // A test that failed may have left the window hung or gone: the rest is cleared away all the same.
    if (app !== null) await closeTerminals(app.page).catch(() => {});
    await app?.close().catch(() => {});
    await lab.stop();
    await data.remove();
  }
}

test('GPUs are shown with their users, and one is reserved and released', async () => {
  const tools = await mkdtemp(join(tmpdir(), 'm2tools-'));
  try {
    const bench = {
      tools,
      standIn: (name: string, body: string) =>
        writeFile(join(tools, name), `#!/bin/sh\n# A stand-in for ${name}.\n${body}\n`, { mode: 0o755 }),
    };
    // Reservations are the whole computer's: other tests have cards of other ids.
    const card = (index: number, changes = {}) => healthyCard(index, { uuid: `GPU-e2e${index}`, ...changes });
    const busy = card(1, { 'memory.used': '40960', 'utilization.gpu': '93' });
    await nvidiaStandIn(bench, [card(0), busy, card(2), card(3)], {
      apps: `${busy.uuid}, ${process.pid}, 40000, node\n`,
    });
    const path = `${tools}:/usr/local/bin:/usr/bin:/bin`;
    await withLab({ serverLines: [`SetEnv PATH=${path}`] }, async ({ launch }) => {
      const { page } = await launch();
      await addLab(page);
      const row = (name: string) =>
        page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
      await expect(page.getByText('4 × A100-SXM4-80GB, 3 of 4 GPUs free')).toBeVisible();
      await expect(row('GPU 1')).toContainText('40.0 / 80.0');
      await expect(row('GPU 1')).toContainText('you');
      await expect(row('GPU 1')).toContainText('39.1 GiB');

      await page.getByRole('button', { name: 'Reserve GPU 2' }).click();
      await page.getByRole('textbox', { name: 'Reason' }).fill('camera-ready runs');
      await page.getByRole('button', { name: 'Reserve', exact: true }).click();
      await expect(row('GPU 2')).toContainText('by you until');
      await expect(row('GPU 2')).toContainText('camera-ready runs');
      await picture(page, 'gpus');
      await page.getByRole('button', { name: 'Release' }).click();
      await expect(page.getByRole('button', { name: 'Reserve GPU 2' })).toBeVisible();
    });
  } finally {
    await rm(tools, { recursive: true, force: true });
  }
});

test('an unknown host key is asked about in the window', () =>
  withLab({ knownHost: false }, async ({ launch }) => {
    const { page } = await launch();
    await addLab(page);
    const pane = page.getByRole('dialog', { name: 'Login to lab' });
    await expect(pane).toContainText('authenticity of host');
    await expect(page.getByText(/^The host key of \S+ is not known yet: check it$/)).toBeVisible();
    await expect(page.getByText(/^\S+ shows ED25519 SHA256:/)).toBeVisible();
    await page.keyboard.type('yes');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await expect(pane).toHaveCount(0);
  }));

test('a password is asked in the window at once, and the pane goes when it is answered', () => {
  test.skip(!hasSshdAccounts, 'needs root and unshare, for an account of its own');
  return withLab({ login: 'password', password: 'open sesame' }, async ({ launch }) => {
    const { page } = await launch();
    await addLab(page);
    const pane = page.getByRole('dialog', { name: 'Login to lab' });
    await expect(pane).toContainText('password:');
    await picture(page, 'login');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await expect(pane).toContainText('try again');
    await page.keyboard.type('open sesame');
    await page.keyboard.press('Enter');
    await expect(pane).toHaveCount(0);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  });
});

test('a login can wait, and is not lost', () => {
  test.skip(!hasSshdAccounts, 'needs root and unshare, for an account of its own');
  return withLab({ login: 'password', password: 'open sesame' }, async ({ launch }) => {
    const { page } = await launch();
    await addLab(page);
    const pane = page.getByRole('dialog', { name: 'Login to lab' });
    await expect(pane).toContainText('password:');
    await pane.getByRole('button', { name: 'Later' }).click();
    await expect(pane).toHaveCount(0);
    await page.getByRole('contentinfo').getByRole('button', { name: 'lab asks for a login' }).click();
    await expect(pane).toContainText('password:');
    await pane.getByRole('button', { name: 'Do not connect' }).click();
    await expect(page.getByText('Not connected', { exact: true }).first()).toBeVisible();
  });
});
