import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { MachineService } from '../../preload/contract/index';
import { hasSshdAccounts } from '../support/sshd';
import { type App, chooseInDialogs, launchApp, project } from './support/app';
import { type CliResult, runCli } from './support/cli';
import { type Lab, startLab } from './support/lab';
import { temporaryPocketData } from './support/pocket-data';

test.describe.configure({ mode: 'serial' });
test.skip(
  !hasSshdAccounts,
  'needs openssh-server, unshare and root: the service lives in a home folder of its own',
);

let lab: Lab;
let data: Awaited<ReturnType<typeof temporaryPocketData>>;
let app: App;

const cli = (...args: string[]): CliResult =>
  runCli([...args, '--data', data.dataDir], 240_000, { ...process.env, ...lab.env });
const there = (): MachineService =>
  JSON.parse(cli('service', 'status', '--service', 'lab', '--json').stdout) as MachineService;
/** This program, as a version before: what a machine has that was set up earlier. */
const startOlder = (): CliResult => {
  const older = join(data.dataDir, 'older');
  if (!existsSync(older)) makeOlder(older);
  const words = ['service', 'start', '--temporary', '--service', 'lab', '--data', data.dataDir];
  const env = { ...process.env, ...lab.env };
  const entry = join(older, 'out', 'main', 'cli.js');
  return spawnSync(process.execPath, [entry, ...words], { encoding: 'utf8', env, timeout: 240_000 });
};
const makeOlder = (older: string): void => {
  mkdirSync(older, { recursive: true });
  cpSync(join(project, 'out', 'main'), join(older, 'out', 'main'), { recursive: true });
  for (const name of ['resources', 'node_modules']) symlinkSync(join(project, name), join(older, name));
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as object;
  writeFileSync(join(older, 'package.json'), JSON.stringify({ ...manifest, version: '0.0.9' }));
};
const bar = () => app.page.getByRole('contentinfo');
const study = () =>
  app.page.evaluate(async () => {
    const list = await window.workbench.call('study.list', {});
    const first = list.ok ? list.value[0] : undefined;
    return first === undefined ? null : { id: first.study.id, state: first.state.kind };
  });

test.beforeAll(async () => {
  data = await temporaryPocketData();
  lab = await startLab();
  // Policies that the lab's machine would otherwise train first.
  const home = join(lab.sshd.home, '.local', 'share', 'mars2-workbench');
  await mkdir(home, { recursive: true, mode: 0o700 });
  await cp(join(data.dataDir, 'checkpoints'), join(home, 'checkpoints'), { recursive: true });
});
test.afterAll(async () => {
  await app?.close().catch(() => undefined);
  cli('service', 'stop', '--service', 'lab');
  await lab.stop();
  await data.remove();
});

test('the terminal puts a service on a machine, and says that it runs', () => {
  expect(cli('machines', 'add', 'lab').status).toBe(0);
  expect(cli('service', 'status', '--service', 'lab')).toMatchObject({
    status: 3,
    stderr: 'lab has no background service of this workbench.\n',
  });
  expect(cli('studies', 'list', '--service', 'lab')).toMatchObject({ status: 1 });
  const started = startOlder();
  expect(started.status, started.stderr).toBe(0);
  expect(started.stderr).toContain('add --service lab to any command');
  expect(there()).toMatchObject({
    running: { version: expect.stringContaining('0.0.9'), unfinished: [] },
    startsWithComputer: null,
  });
  const listed = cli('studies', 'list', '--service', 'lab');
  expect(listed.stderr).toContain('Through the background service on lab.');
  expect(listed.stderr).toContain('The background service is version 0.0.9');
});

test('it is upgraded in place, and a job of its goes on', () => {
  const job = cli('jobs', 'start', 'local', 'sleep', '300', '--json', '--service', 'lab');
  const { id } = JSON.parse(job.stdout) as { id: string };
  expect(cli('service', 'start', '--temporary', '--service', 'lab').status).toBe(0);
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
  const running = { version: expect.stringContaining(version), unfinished: [] };
  expect(there()).toMatchObject({ version, running });
  // An older workbench, e.g. of another laptop, does not take it back.
  expect(startOlder()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('newer than this workbench'),
  });
  expect(there()).toMatchObject({ version, running });
  expect(cli('jobs', 'list', '--service', 'lab').stdout).toMatch(/running/);
  expect(cli('jobs', 'stop', id, '--service', 'lab').status).toBe(0);
});

test('the window shows it from the page of the machine, and works there', async () => {
  app = await launchApp(data.dataDir, lab.env);
  await app.page.goto('workbench://app/index.html#/machines/lab');
  await app.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await app.page.getByRole('button', { name: 'Show it in this window' }).click();
  await expect(bar()).toContainText('This window shows the service on lab');
  await app.page.evaluate(() => window.workbench.call('quickstart.start', { problems: 6, nodes: 10 }));
  await expect.poll(async () => (await study())?.state, { timeout: 60_000 }).toBe('running');
});

test('while this computer is away the service finishes the study, and the window catches up', async () => {
  await lab.sshd.down();
  await expect(bar().getByText('Connection to the service on lab cut')).toBeVisible();
  // As somebody who sits at the machine.
  const onMachine = () => runCli(['studies', 'list'], 60_000, { ...process.env, HOME: lab.sshd.home }).stdout;
  await expect.poll(onMachine, { timeout: 120_000, intervals: [1_000] }).toContain('finished');
  await lab.sshd.up();
  await expect(bar()).toContainText('This window shows the service on lab', { timeout: 90_000 });
  await expect.poll(async () => (await study())?.state).toBe('finished');
});

test('a service that is killed there is back within seconds, and the window with it', async () => {
  const pid = () =>
    app.page.evaluate(async () => {
      const info = await window.workbench.call('service.info', {});
      return info.ok ? info.value.pid : 0;
    });
  const before = await pid();
  process.kill(before, 'SIGKILL');
  // The page is loaded again meanwhile.
  await expect(async () => {
    expect(await pid()).not.toBe(before);
    expect((await study())?.state).toBe('finished');
  }).toPass({ timeout: 60_000 });
});

test('a window that is opened anew shows this computer, and the machine’s service after one press', async () => {
  await app.close();
  app = await launchApp(data.dataDir, lab.env);
  await app.page.goto('workbench://app/index.html#/machines/lab');
  const show = app.page.getByRole('button', { name: 'Show it in this window' });
  await expect(show).toBeVisible({ timeout: 60_000 });
  await expect(bar()).not.toContainText('This window shows the service');
  expect(await study()).toBe(null);
  await show.click();
  await expect(bar()).toContainText('This window shows the service on lab');
  expect((await study())?.state).toBe('finished');
});

test('a benchmark is imported from a path of the machine, and none can be named once it is not shown', async () => {
  const problem = {
    ...{ task_id: 'L/1', prompt: 'def f():\n', entry_point: 'f', canonical_solution: '    return 1\n' },
    test: 'def check(candidate):\n    assert candidate() == 1\n',
  };
  const path = join(lab.sshd.home, 'of the lab.jsonl');
  await writeFile(path, `${JSON.stringify(problem)}\n`);
  await app.page.evaluate(() => {
    window.location.hash = '#/library';
  });
  await app.page
    .getByRole('button', { name: /^Import benchmark/ })
    .first()
    .click();
  const dialog = app.page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Or a file or folder on lab' }).fill(path);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(app.page.getByText(/Imported the benchmark/)).toBeVisible();
});

test('what it exports lands where the user is', async () => {
  const path = join(data.dataDir, 'a table of ours.csv');
  await chooseInDialogs(app, path);
  const written = await app.page.evaluate(
    async (studyId) => {
      const source = { kind: 'study', studyId } as const;
      const parts = await window.workbench.call('report.parts', { source });
      const part = parts.ok ? (parts.value[0]?.id ?? '') : '';
      return window.workbench.call('report.choose', { request: { source, part, format: 'csv' } as never });
    },
    (await study())?.id ?? '',
  );
  expect(written).toMatchObject({
    ok: true,
    value: { files: expect.arrayContaining([expect.objectContaining({ path })]) },
  });
  expect((await readFile(path, 'utf8')).split('\n').length).toBeGreaterThan(3);
});

test('the window goes back to this computer, and the service keeps what it has', async () => {
  const { id } = (await study()) ?? { id: '' };
  await bar().getByRole('button', { name: 'Back to this computer' }).click();
  await expect(bar()).not.toContainText('This window shows the service');
  await expect.poll(async () => study()).toBe(null);
  const named = await app.page.evaluate(() =>
    window.workbench.call('import.chooseBenchmark', { there: '/etc/passwd' }),
  );
  expect(named).toMatchObject({ ok: false, error: { code: 'not-allowed' } });
  await app.close();
  const listed = cli('studies', 'list', '--service', 'lab');
  expect(listed.stdout).toContain(id);
  const exported = join(data.dataDir, 'out of the lab');
  const written = cli('export', id, '--out', exported, '--service', 'lab');
  expect(written.status, written.stderr).toBe(0);
  expect(cli('service', 'stop', '--service', 'lab').status).toBe(0);
  expect(there()).toMatchObject({ kind: 'installed', running: null });
});
