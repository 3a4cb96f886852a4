import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { isAlive } from '../support/is-alive';
import { launchApp, temporaryData } from './support/app';
import { temporaryPocketData } from './support/pocket-data';

test('closing the window in the middle of a study pauses it, keeps its progress and stops its servers', async () => {
  const data = await temporaryPocketData();
  const folder = data.dataDir;
  try {
    const app = await launchApp(folder);
    // The latency keeps it going without work for the processor.
    const started = await app.page.evaluate(() =>
      window.workbench.call('quickstart.start', { problems: 4, nodes: 10, latencyMs: 400 }),
    );
    expect(started.ok).toBe(true);
    const made = () =>
      app.page.evaluate(async () => {
        const list = await window.workbench.call('study.list', {});
        return list.ok ? (list.value[0]?.progress.nodesDone ?? 0) : 0;
      });
    await expect.poll(made, { timeout: 120_000 }).toBeGreaterThan(0);
    const servers = await app.page.evaluate(() => window.workbench.call('server.list', {}));
    if (!servers.ok) throw new Error(servers.error.message);
    const processes = servers.value.flatMap(({ pid }) => (pid === null ? [] : [pid]));
    expect(processes.length).toBeGreaterThan(0);
    const before = await made();

    const gone = new Promise((done) => app.electron.process().once('exit', done));
    await app.inMain(({ BrowserWindow }) => {
      setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 50);
    });
    await gone;
    expect(processes.filter(isAlive)).toEqual([]);

    const again = await launchApp(folder);
    const list = await again.page.evaluate(() => window.workbench.call('study.list', {}));
    if (!list.ok) throw new Error(list.error.message);
    expect(list.value[0]?.state.kind).toBe('paused');
    expect(list.value[0]?.progress.nodesDone).toBeGreaterThanOrEqual(before);
    await again.close();
  } finally {
    await data.remove();
  }
});

test('a folder that was left open on a computer with another name opens: only its own lock decides', async () => {
  const data = await temporaryData();
  try {
    // What Chromium leaves of itself in the profile after a kill, a move to another host, or a new name of this one.
    const profile = join(data.path, 'electron');
    await mkdir(profile, { recursive: true });
    await symlink('another-host-4242', join(profile, 'SingletonLock'));
    await symlink(join(profile, 'gone', 'SingletonSocket'), join(profile, 'SingletonSocket'));
    const app = await launchApp(data.path);
    const list = await app.page.evaluate(() => window.workbench.call('study.list', {}));
    expect(list).toMatchObject({ ok: true });
    await app.close();
  } finally {
    await data.remove();
  }
});
