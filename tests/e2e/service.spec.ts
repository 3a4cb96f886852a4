import { spawn } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type App, launchApp, project } from './support/app';
import { temporaryPocketData } from './support/pocket-data';

let data: Awaited<ReturnType<typeof temporaryPocketData>>;
let app: App;
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  data = await temporaryPocketData();
  app = await launchApp(data.dataDir);
});
test.afterAll(async () => {
  await app.close().catch(() => undefined);
  await mars2('service', 'stop');
  await data.remove();
});

function mars2(
  ...words: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const program = join(project, 'out', 'main', 'cli.js');
  const child = spawn(process.execPath, [program, ...words, '--data', data.dataDir]);
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString();
  });
  return new Promise((ended) => child.once('close', (code) => ended({ code, output })));
}

const info = () =>
  app.page.evaluate(async () => {
    const answer = await window.workbench.call('service.info', {});
    return answer.ok ? { kind: answer.value.kind, pid: answer.value.pid } : null;
  });
const study = () =>
  app.page.evaluate(async () => {
    const list = await window.workbench.call('study.list', {});
    const first = list.ok ? list.value[0] : undefined;
    return first === undefined ? null : { state: first.state.kind, nodes: first.progress.nodesDone };
  });

type Question = { readonly message: string; readonly detail: string };
type Asked = { asked?: Question | null; answer?: (value: unknown) => void };

/** Closes the window as a person does, and waits for the question. */
async function closeWindow(): Promise<Question> {
  await app.inMain(({ dialog, BrowserWindow }) => {
    const asking = globalThis as Asked;
    asking.asked = null;
    dialog.showMessageBox = ((_window: unknown, { message, detail }: Question) => {
      asking.asked = { message, detail };
      return new Promise((answer) => {
        asking.answer = answer;
      });
    }) as never;
    // After the answer to this; that it may run twice does no harm while the question is open.
    setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 50);
  });
  const asked = () => app.inMain(() => (globalThis as Asked).asked ?? null);
  await expect.poll(asked).not.toBe(null);
  return (await asked()) as Question;
}

/** Answers with the nth button. The window takes it after this, so that the inspector can still say that it ran. */
function answerWith(response: number, checkboxChecked = false): Promise<void> {
  return app.inMain(
    (_electron, answer) => {
      setTimeout(() => (globalThis as Asked).answer?.(answer), 50);
    },
    { response, checkboxChecked },
  );
}

/** The latency keeps it going without work for the processor. */
const startStudy = () =>
  app.page.evaluate(() =>
    window.workbench.call('quickstart.start', { problems: 6, nodes: 10, latencyMs: 300 }),
  );

test('closing a window in the middle of a study asks; Cancel keeps it, and the study runs on', async () => {
  const started = await startStudy();
  expect(started.ok).toBe(true);
  await expect.poll(async () => (await study())?.nodes, { timeout: 120_000 }).toBeGreaterThan(0);
  expect(await closeWindow()).toEqual({
    message: 'Keep working in the background?',
    detail: expect.stringContaining('Quickstart'),
  });
  await answerWith(2);
  expect((await study())?.state).toBe('running');
});

test('Keep working moves the study into a service, which a new window shows', async () => {
  const before = (await study())?.nodes ?? 0;
  const gone = new Promise((done) => app.electron.process().once('exit', done));
  // Cancelled before: it asks again. From now on, never.
  await closeWindow();
  await answerWith(0, true);
  await gone;
  const status = JSON.parse((await mars2('service', 'status', '--json')).output) as { running: boolean };
  expect(status.running).toBe(true);
  app = await launchApp(data.dataDir);
  await expect(app.page.getByRole('contentinfo').getByText('Background service')).toBeVisible();
  expect((await info())?.kind).toBe('service');
  await expect.poll(async () => (await study())?.nodes, { timeout: 120_000 }).toBeGreaterThan(before);
});

test('a window that is killed takes nothing with it, and the next one shows the end of the study', async () => {
  const service = await info();
  await app.kill();
  app = await launchApp(data.dataDir);
  expect(await info()).toEqual(service);
  await expect.poll(async () => (await study())?.state, { timeout: 240_000 }).toBe('finished');
  await app.page.evaluate(() => {
    window.location.hash = '#/settings';
  });
  await expect(app.page.getByText('On: work goes on when this window is closed')).toBeVisible();
});

test('a service that is killed is shown as cut, and the window connects to the next one by itself', async () => {
  const service = await info();
  process.kill(service?.pid ?? 0, 'SIGKILL');
  await expect(app.page.getByText('Connection to the background service cut')).toBeVisible();
  await expect(app.page.getByText('On: work goes on when this window is closed')).toBeVisible({
    timeout: 60_000,
  });
  await expect.poll(async () => (await info())?.pid, { timeout: 60_000 }).not.toBe(service?.pid);
  expect((await study())?.state).toBe('finished');
});

test('the service is stopped from Settings, and started there again: the window does the work meanwhile', async () => {
  await app.page.getByRole('button', { name: 'Stop the background service' }).click();
  await expect(app.page.getByText('Off: work stands still while the window is closed')).toBeVisible({
    timeout: 60_000,
  });
  expect((await info())?.kind).toBe('window');
  expect((await study())?.state).toBe('finished');
  await app.page.getByLabel('Start it with this computer').uncheck();
  await app.page.getByRole('button', { name: 'Start the background service' }).click();
  await expect(app.page.getByText('On: work goes on when this window is closed')).toBeVisible({
    timeout: 60_000,
  });
  expect((await info())?.kind).toBe('service');
});

test('a service that a terminal command stops leaves its work to the window that showed it', async () => {
  expect((await mars2('service', 'stop')).code).toBe(0);
  await expect(app.page.getByText('Connection to the background service cut')).toBeVisible();
  await expect(app.page.getByText('This window does its work now')).toBeVisible({ timeout: 60_000 });
  expect((await info())?.kind).toBe('window');
  expect((await study())?.state).toBe('finished');
  expect(app.complaints).toEqual([]);
});

test('the question is asked once: with its answer kept, the next close moves the work by itself', async () => {
  await startStudy();
  const running = () =>
    app.page.evaluate(async () => {
      const list = await window.workbench.call('study.list', {});
      return list.ok && list.value.some(({ state }) => state.kind === 'running');
    });
  await expect.poll(running, { timeout: 60_000 }).toBe(true);
  const gone = new Promise((done) => app.electron.process().once('exit', done));
  // A question would keep it open.
  await app.inMain(({ BrowserWindow }) => {
    setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 50);
  });
  await gone;
  const status = JSON.parse((await mars2('service', 'status', '--json')).output) as { running: boolean };
  expect(status.running).toBe(true);
});

/** The service of this data folder, as an earlier version of this program. */
async function startOlder(): Promise<void> {
  const older = join(data.dataDir, 'older');
  await cp(join(project, 'out', 'main'), join(older, 'out', 'main'), { recursive: true });
  for (const name of ['resources', 'node_modules']) await symlink(join(project, name), join(older, name));
  const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as object;
  await writeFile(join(older, 'package.json'), JSON.stringify({ ...manifest, version: '0.0.9' }));
  const program = join(older, 'out', 'main', 'cli.js');
  const words = ['service', 'start', '--temporary', '--data', data.dataDir];
  await new Promise((ended) => spawn(process.execPath, [program, ...words]).once('close', ended));
}

test('a window that finds an older service says so, and a press upgrades it: a job of its goes on', async () => {
  await mars2('service', 'stop');
  await startOlder();
  const { output } = await mars2('jobs', 'start', 'local', 'sleep', '300', '--json');
  const { id } = JSON.parse(output) as { id: string };
  app = await launchApp(data.dataDir);
  await expect(app.page.getByText('The background service is version 0.0.9')).toBeVisible();
  const older = await info();
  await app.page.getByRole('button', { name: 'Upgrade the service' }).click();
  await expect.poll(async () => (await info())?.pid, { timeout: 60_000 }).not.toBe(older?.pid);
  expect((await info())?.kind).toBe('service');
  await expect(app.page.getByText('The background service is version')).toBeHidden();
  // The window loads anew for the new service; a question that falls into that is asked again.
  await expect(async () => {
    const job = await app?.page.evaluate(async (jobId) => {
      const list = await window.workbench.call('job.list', {});
      return list.ok ? list.value.find((one) => one.id === jobId)?.state.kind : list.error.message;
    }, id);
    expect(job).toBe('running');
  }).toPass({ timeout: 60_000 });
  expect((await mars2('jobs', 'stop', id)).code).toBe(0);
});
