import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { healthyCard, nvidiaStandIn } from '../support/nvidia-stand-in';
import { hasSshd, hasSshdAccounts } from '../support/sshd';
import { type App, launchApp, temporaryData } from './support/app';
import { type Lab, startLab } from './support/lab';
import { picture } from './support/page';

test.skip(!hasSshd, 'openssh-server is not installed');
const hasTmux = spawnSync('tmux', ['-V']).status === 0;

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

async function closeTerminals(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const listed = await window.workbench.call('terminal.list', {});
    if (!listed.ok) return;
    for (const { id } of listed.value) await window.workbench.call('terminal.close', { terminalId: id });
  });
}

/** Adds the lab from the hosts of the ssh config. */
async function addLab(page: Page): Promise<void> {
  await page.goto('workbench://app/index.html#/machines');
  await page.getByRole('button', { name: 'Add machine' }).click();
  await page.getByRole('button', { name: 'lab', exact: true }).click();
  await page.getByRole('button', { name: 'Add and connect' }).click();
}

const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'lab' });
const screenOf = (page: Page) => page.locator('section:not([hidden]) .xterm-rows');

async function openShell(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open terminal' }).click();
  // A key that is pressed before the shell asks for one can be lost.
  await expect(screenOf(page)).toContainText(/[#$%>]/);
  // Without a locale a shell takes what is beyond ASCII for commands of its line editor.
  await page.keyboard.type('export LC_ALL=C.UTF-8; PS1="> "; echo re""ady');
  await page.keyboard.press('Enter');
  await expect(screenOf(page)).toContainText('ready');
}

test('a machine is added from the ssh config, seen, examined, and worked on', () =>
  withLab({}, async ({ launch }) => {
    const { page, complaints } = await launch();
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
    expect(complaints).toEqual([]);
  }));

test('GPUs are shown with their users, and one is reserved and released', async () => {
  const tools = await mkdtemp(join(tmpdir(), 'm2tools-'));
  try {
    const bench = {
      tools,
      standIn: (name: string, body: string) =>
        writeFile(join(tools, name), `#!/bin/sh\n# A stand-in for ${name}.\n${body}\n`, { mode: 0o755 }),
    };
    const busy = healthyCard(1, { 'memory.used': '40960', 'utilization.gpu': '93' });
    await nvidiaStandIn(bench, [healthyCard(0), busy, healthyCard(2), healthyCard(3)], {
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

test('a cluster is added with its defaults, edited, and removed', () =>
  withLab({}, async ({ launch }) => {
    const { page } = await launch();
    await page.goto('workbench://app/index.html#/add-machine');
    await page.getByText('Slurm cluster').click();
    await page.getByRole('button', { name: 'Add and connect' }).click();
    await expect(page.getByText('Enter the host')).toBeVisible();
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
  }));

test('an unknown host key is asked about in the window', () =>
  withLab({ knownHost: false }, async ({ launch }) => {
    const { page } = await launch();
    await addLab(page);
    const pane = page.getByRole('dialog', { name: 'Login to lab' });
    await expect(pane).toContainText('authenticity of host');
    await page.keyboard.type('yes');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await expect(pane).toHaveCount(0);
  }));

test('the doctor can be called off while a machine hangs', () =>
  withLab({}, async ({ lab, launch }) => {
    const { page } = await launch();
    await addLab(page);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await lab.sshd.freeze();
    try {
      await page.getByRole('button', { name: 'Check this machine' }).click();
      await page.getByRole('region', { name: 'Doctor' }).getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('button', { name: 'Check this machine' })).toBeVisible();
    } finally {
      await lab.sshd.thaw();
    }
  }));

test('keys belong to the shell, but for the few that lead out of it', () =>
  withLab({}, async ({ launch }) => {
    const { page } = await launch();
    await addLab(page);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
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
    await expect(page.getByRole('tab', { name: 'lab', exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await page.keyboard.press('Control+Shift+W');
    await page.getByRole('button', { name: 'End the shell' }).click();
    await expect(page.getByRole('tab')).toHaveCount(1);
  }));

test('what is selected is copied, and what is copied is pasted', () =>
  withLab({}, async ({ launch }) => {
    const { page, inMain } = await launch();
    await addLab(page);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await openShell(page);
    await page.keyboard.type('clear; echo a-long-word');
    await page.keyboard.press('Enter');
    await expect(screenOf(page)).toContainText('a-long-word');
    await page.locator('.xterm-screen').click({ clickCount: 3, position: { x: 20, y: 8 } });
    await page.keyboard.press('Control+Shift+C');
    const copied = () => inMain(({ clipboard }) => clipboard.readText());
    await expect.poll(copied).toContain('a-long-word');

    await inMain(({ clipboard }) => clipboard.writeText('echo pasted-$((1 + 1))'));
    await page.keyboard.press('Control+Shift+V');
    await page.keyboard.press('Enter');
    await expect(screenOf(page)).toContainText('pasted-2');
  }));

test('an address in a terminal leaves the app only after a question', () =>
  withLab({}, async ({ launch }) => {
    const { page, inMain } = await launch();
    // The question itself is the system's: here it is answered with "Open".
    await inMain(({ dialog, shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      Object.assign(dialog, { showMessageBox: async () => ({ response: 0, checkboxChecked: false }) });
      Object.assign(shell, {
        openExternal: async (url: string) => {
          opened.push(url);
        },
      });
    });
    await addLab(page);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await openShell(page);
    await page.keyboard.type('clear; echo https://example.org/a?b=c');
    await page.keyboard.press('Enter');
    await expect(screenOf(page)).toContainText('https://example.org/a?b=c>');
    const cell = { x: 60, y: 8 };
    await page.locator('.xterm-screen').hover({ position: { x: 90, y: 8 } });
    await page.locator('.xterm-screen').hover({ position: cell });
    await page.locator('.xterm-screen').click({ position: cell });
    await page.getByRole('button', { name: 'Open in the browser…' }).click();
    const opened = () => inMain(() => Reflect.get(globalThis, 'opened'));
    await expect.poll(opened).toEqual(['https://example.org/a?b=c']);
  }));

test('a shell outlives a cut and the workbench', () => {
  test.skip(!hasTmux, 'tmux is not installed');
  return withLab({}, async ({ lab, launch }) => {
    const { page } = await launch();
    await addLab(page);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
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

    const again = await launch();
    await again.page.goto('workbench://app/index.html#/terminals');
    const tab = again.page.getByRole('tab', { name: 'lab' });
    const connect = again.page.getByRole('button', { name: 'Connect lab' });
    await expect(tab.or(connect)).toBeVisible();
    // It may be connected already, for the sake of something else.
    if (await connect.isVisible()) await connect.click();
    await expect(tab).toBeVisible();
    await expect(screenOf(again.page)).toContainText('still-here');
    await again.page.keyboard.type('echo again-$kept');
    await again.page.keyboard.press('Enter');
    await expect(screenOf(again.page)).toContainText('again-here');
  });
});

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

test('a changed host key is shown as what it is, and not tried again', () =>
  withLab({}, async ({ lab, launch }) => {
    const { page } = await launch();
    await addLab(page);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await lab.sshd.changeHostKey();
    await lab.sshd.killSessions();
    const note = page.getByRole('alert');
    await expect(note).toContainText('The host key of lab has changed', { timeout: 60_000 });
    await expect(note).toContainText('ssh-keygen');
    await expect(note).toContainText('does not retry by itself');
    await picture(page, 'host-key');
  }));
