import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type App, electronArguments, electronPath, launchApp, project, temporaryData } from './support/app';

let app: App;
let data: Awaited<ReturnType<typeof temporaryData>>;

test.beforeAll(async () => {
  data = await temporaryData();
  app = await launchApp(data.path);
});

test.afterAll(async () => {
  await app.close();
  await data.remove();
});

test('the page sees the contract and nothing of Node or Electron', async () => {
  const seen = await app.page.evaluate(() => ({
    api: Object.keys(window.workbench).sort(),
    process: typeof (globalThis as Record<string, unknown>).process,
    require: typeof (globalThis as Record<string, unknown>).require,
    electron: typeof (globalThis as Record<string, unknown>).electron,
  }));
  expect(seen).toEqual({
    api: ['call', 'onEvents'],
    process: 'undefined',
    require: 'undefined',
    electron: 'undefined',
  });
});

test('the renderer runs sandboxed, isolated and without node integration', async () => {
  const preferences = await app.inMain(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const contents = window?.webContents as unknown as {
      getLastWebPreferences: () => { sandbox: boolean; contextIsolation: boolean; nodeIntegration: boolean };
    };
    const { sandbox, contextIsolation, nodeIntegration } = contents.getLastWebPreferences();
    return { sandbox, contextIsolation, nodeIntegration };
  });
  expect(preferences).toEqual({ sandbox: true, contextIsolation: true, nodeIntegration: false });
});

test('no dictionary for spelling is fetched', async () => {
  expect(await app.inMain(({ session }) => session.defaultSession.getSpellCheckerLanguages())).toEqual([]);
});

test('the content security policy allows no eval, no inline script and no remote origin', async () => {
  const policy = await app.page.evaluate(async () =>
    (await fetch('/index.html')).headers.get('content-security-policy'),
  );
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe-eval|https?:/);
  const ran = await app.page.evaluate(
    () =>
      new Promise<{ evaluated: boolean; inline: boolean }>((resolve) => {
        // In a later task: what the test itself evaluates is exempt from the policy.
        setTimeout(() => {
          let evaluated = true;
          try {
            evaluated = new Function('return true')() as boolean;
          } catch {
            evaluated = false;
          }
          const script = document.createElement('script');
          script.textContent = 'document.title = "inline script ran"';
          document.head.append(script);
          resolve({ evaluated, inline: document.title === 'inline script ran' });
        }, 0);
      }),
  );
  expect(ran).toEqual({ evaluated: false, inline: false });
});

test('no new window opens and no other address loads', async () => {
  const before = app.page.url();
  await app.page.evaluate(() => {
    window.open('https://example.org');
    window.location.href = 'https://example.org/';
  });
  await app.page.waitForTimeout(300);
  expect(app.page.url()).toBe(before);
  expect(app.electron.windows()).toHaveLength(1);
});

test('permissions are refused', async () => {
  const state = await app.page.evaluate(
    async () => (await navigator.permissions.query({ name: 'geolocation' })).state,
  );
  expect(state).toBe('denied');
});

test('files outside of the built pages are not served', async () => {
  const status = await app.page.evaluate(
    async () =>
      (await fetch('/..%2f..%2fpackage.json').catch(() => new Response('', { status: 404 }))).status,
  );
  expect(status).toBe(404);
});

test('main refuses wrong payloads, unknown commands and commands with a path, with a message', async () => {
  const answers = await app.page.evaluate(async () => {
    const call = window.workbench.call as unknown as (name: unknown, payload: unknown) => Promise<unknown>;
    return [
      await call('study.start', { studyId: 7 }),
      await call('study.start', { studyId: 'x', more: 1 }),
      await call('no.such.command', {}),
      await call(42, {}),
      await call('__proto__', {}),
      await call('export.write', { studyId: 'x', kind: 'table', path: '/tmp/page-chose-this' }),
      await call('import.benchmark', { path: '/etc/passwd', format: 'humaneval' }),
    ];
  });
  const codes = answers.map(
    (answer) => (answer as { ok: boolean; error?: { code: string; message: string } }).error?.code,
  );
  expect(codes).toEqual([
    'invalid-payload',
    'invalid-payload',
    'unknown-command',
    'unknown-command',
    'unknown-command',
    'not-allowed',
    'not-allowed',
  ]);
});

test('a second start on the same data folder says so and ends', () => {
  const second = spawnSync(electronPath(), electronArguments(data.path), {
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(second.status).toBe(0);
  expect(second.stderr).toContain('already open');
  expect(app.electron.windows()).toHaveLength(1);
});

test('while a window is open, the CLI opens no second workbench: the window answers it', async () => {
  const entry = join(project, 'out', 'main', 'cli.js');
  const ask = (env: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [entry, 'machines', 'list', '--data', data.path], {
      encoding: 'utf8',
      timeout: 120_000,
      env: { ...process.env, ...env },
    });
  expect(ask({})).toMatchObject({ status: 0, stderr: '' });
  // The data folder says where the socket is, whatever the environment of who asks.
  const elsewhere = { XDG_RUNTIME_DIR: await mkdtemp(join(data.path, 'elsewhere ')) };
  expect(ask(elsewhere)).toMatchObject({ status: 0, stderr: '' });
  // Who does not find it gets nothing.
  await rm(join(data.path, 'control-socket'));
  const lost = ask(elsewhere);
  expect(lost.status).not.toBe(0);
  expect(lost.stderr).toMatch(/in use|already|holds/i);
});
