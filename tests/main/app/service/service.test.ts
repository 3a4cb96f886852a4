import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { handOver, openWorkbench, type ServiceProgram, serviceProgram } from '../../../../main/app';
import { environmentSecrets } from '../../../../main/app/secrets';
import { probeSandbox } from '../../../../main/grading';
import type { StudyView } from '../../../../preload/contract';
import { startLab } from '../../../e2e/support/lab';
import { saveBasePolicies } from '../../../support/base-policies';
import { buildWorkbench } from '../../../support/built-workbench';
import { eventually } from '../../../support/eventually';
import { isAlive } from '../../../support/is-alive';
import { serviceBench } from '../../../support/service-bench';
import { hasSshdAccounts } from '../../../support/sshd';
import { temporaryFolder } from '../../../support/temporary-folder';
import { unwrap } from '../../../support/unwrap';

const sandboxProblem = await probeSandbox({ resourcesDir: resolve('resources'), allowUnsandboxed: false });
const PATIENCE_MS = 400_000;

let project = '';
beforeAll(async () => {
  project = await buildWorkbench();
});

/** Of commands, and of the services that they start. */
let environment: NodeJS.ProcessEnv = process.env;

const bench = () => serviceBench(project, () => environment);

type Bench = Awaited<ReturnType<typeof serviceBench>>;
type Ask = Awaited<ReturnType<Bench['connected']>>['ask'];

const studyWhen = (ask: Ask, what: string, condition: (view: StudyView) => boolean): Promise<StudyView> =>
  eventually(
    what,
    async () => {
      // While the service starts again, it does not answer.
      const [view] = await ask('study.list', {}).catch(() => []);
      return view !== undefined && condition(view) ? view : null;
    },
    PATIENCE_MS,
  );

async function withPolicies(dataDir: string): Promise<void> {
  await saveBasePolicies(join(dataDir, 'checkpoints'), ['reader', 'tracer'], 11);
}

test.skipIf(!hasSshdAccounts)(
  'a machine that asks for a password waits, and asks in the next window (needs sshd, unshare and root)',
  async () => {
    const lab = await startLab({ login: 'password', password: 'open sesame' });
    environment = { ...process.env, ...lab.env };
    onTestFinished(async () => {
      environment = process.env;
      await lab.stop();
    });
    const { started, connected } = await bench();
    await started();
    const first = await connected();
    await first.ask('machine.add', { kind: 'ssh', id: 'lab', name: 'lab', host: 'lab' });
    const connectionOf = async (ask: Ask) =>
      (await ask('machine.list', {})).find(({ spec }) => spec.id === 'lab')?.connection;
    const isWaiting = async (ask: Ask) => {
      const connection = await connectionOf(ask);
      return connection?.kind === 'needs-login' ? connection : null;
    };
    const before = await eventually('the question', () => isWaiting(first.ask), PATIENCE_MS);
    await first.client.close();
    const next = await connected();
    expect(await isWaiting(next.ask)).toEqual(before);
    await next.ask('terminal.attach', { terminalId: before.terminalId });
    await next.ask('terminal.write', { terminalId: before.terminalId, text: 'open sesame\n' });
    await eventually(
      'the connection',
      async () => ((await connectionOf(next.ask))?.kind === 'connected' ? true : null),
      PATIENCE_MS,
    );
  },
);

const SIZE = { problems: 2, nodes: 6 };
const JOB = { machineId: 'local', name: 'sleeps', commandLine: 'sleep 300' };

test.skipIf(sandboxProblem !== null)(
  'a service that is killed in the middle of a study comes back and ends the study, and its journals are whole (skipped where no sandbox starts)',
  async () => {
    const { dataDir, mars2, started, connected } = await bench();
    await withPolicies(dataDir);
    const first = await started();
    const { ask } = await connected();
    await ask('quickstart.start', SIZE);
    await studyWhen(ask, 'the first programs', ({ progress }) => progress.nodesDone > 0);
    process.kill(first.pid, 'SIGKILL');
    const ended = await studyWhen(ask, 'the study to be finished', ({ state }) => state.kind === 'finished');
    expect(ended.progress.problemsDone).toBe(ended.progress.problemsTotal);
    expect((await ask('service.info', {})).pid).not.toBe(first.pid);
    const verified = await mars2('verify', ended.study.id);
    expect(verified.code, verified.output).toBe(0);
    expect(await mars2('service', 'stop')).toMatchObject({ code: 0 });
    expect((await mars2('service', 'status')).code).toBe(3);
  },
);

test.skipIf(sandboxProblem !== null)(
  'a window that closes gives its work to a service: what ran goes on there, with its keys (skipped where no sandbox starts)',
  async () => {
    const { dataDir, connected } = await bench();
    await withPolicies(dataDir);
    const secrets = environmentSecrets({ MARS2_SECRET_LAB: 'the-value' });
    const workbench = await unwrap(
      openWorkbench({
        ...{ dataDir, project, secrets },
        ...{ appVersion: 'test', kind: 'window', reconnects: false },
        nodeRuntime: { command: process.execPath, env: {} },
      }),
    );
    await workbench.call('quickstart.start', SIZE, 'window');
    const nodes = async (): Promise<number> => {
      const list = await workbench.call('study.list', {}, 'window');
      return list.ok ? ((list.value as readonly StudyView[])[0]?.progress.nodesDone ?? 0) : 0;
    };
    await eventually('the first programs', async () => ((await nodes()) > 0 ? true : null), PATIENCE_MS);
    const info = await workbench.call('service.info', {}, 'window');
    expect(info).toMatchObject({ ok: true, value: { kind: 'window', unfinished: [expect.any(String)] } });
    const program: ServiceProgram = serviceProgram(project, dataDir);
    await unwrap(
      handOver({
        ...{ workbench, dataDir, secrets, program, registers: false },
        onError: (error) => expect.unreachable(String(error)),
      }),
    );
    const { ask } = await connected();
    await studyWhen(ask, 'the study to be finished', ({ state }) => state.kind === 'finished');
    const { names, keptIn } = await ask('secret.list', {});
    expect({ names, keptIn }).toEqual({ names: ['lab'], keptIn: expect.stringContaining('only you') });
    const keys = join(dataDir, 'service-keys-plain.json');
    expect((await stat(keys)).mode & 0o077).toBe(0);
    expect(await readFile(join(dataDir, 'service.log'), 'utf8')).not.toContain('the-value');
  },
);

test('a restart, as for an upgrade, ends no job; what a person stopped stays stopped; the window is told where to look', async () => {
  const { mars2, started, connected } = await bench();
  const first = await started();
  const again = await mars2('service', 'start', '--temporary');
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining('runs already') });
  const { client, ask } = await connected();
  const states: boolean[] = [];
  client.onConnection.on(({ isConnected, isBehind }) => states.push(isConnected && isBehind));
  const { id } = await ask('job.start', JOB);
  const pid = await eventually('the job to run', async () => {
    const view = (await ask('job.list', {})).find((one) => one.id === id);
    return view?.state.kind === 'running' ? view.state.pid : null;
  });
  expect(await mars2('service', 'restart')).toMatchObject({ code: 0 });
  await eventually('the connection to be back', () => (states.includes(true) ? true : null));
  const now = await ask('service.info', {});
  expect(now.pid).not.toBe(first.pid);
  expect(isAlive(pid)).toBe(true);
  expect((await ask('job.list', {})).find((one) => one.id === id)?.state.kind).toBe('running');
  await ask('job.stop', { jobId: id });
  const command = await mars2('studies', 'list');
  expect(command).toMatchObject({ code: 0 });
  const service = execFileSync('ps', ['-o', 'args=', '-p', String(now.pid)], { encoding: 'utf8' });
  expect(service).toContain('service run');
});

/** The workbench as a version before, whose windows and commands spoke otherwise over the socket. */
async function olderProject(): Promise<string> {
  const older = await temporaryFolder();
  await cp(join(project, 'out'), join(older, 'out'), { recursive: true });
  for (const name of ['resources', 'node_modules']) await symlink(resolve(name), join(older, name));
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as object;
  await writeFile(join(older, 'package.json'), JSON.stringify({ ...manifest, version: '0.0.9' }));
  const out = join(older, 'out', 'main');
  let changed = 0;
  for (const name of await readdir(out, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const code = await readFile(join(out, name), 'utf8');
    // The number of the protocol, which the build writes out.
    const other = code.replaceAll(/(protocol: ?|\.protocol ?(?:!==|>) ?)\d+\b/g, (_, before) => `${before}0`);
    if (other !== code) changed += 1;
    await writeFile(join(out, name), other);
  }
  expect(changed).toBeGreaterThan(0);
  return older;
}

test('a service of a version that speaks otherwise is named, upgraded in place all the same, and its job goes on; the older program then learns that it is', async () => {
  const older = await serviceBench(await olderProject(), () => environment);
  const first = await older.started();
  expect(first.version).toBe('0.0.9');
  const started = await older.mars2('jobs', 'start', 'local', 'sleep', '300', '--json');
  const { id } = JSON.parse(started.output.slice(started.output.indexOf('{'))) as { id: string };
  const { mars2, connected } = await serviceBench(project, () => environment, older.dataDir);
  expect(await mars2('studies', 'list')).toMatchObject({
    code: 3,
    output: expect.stringMatching(/an older version \(0\.0\.9\)[\s\S]*mars2 service restart/),
  });
  expect(await mars2('service', 'restart')).toMatchObject({ code: 0 });
  const { ask } = await connected();
  expect((await ask('service.info', {})).version).not.toBe('0.0.9');
  expect((await ask('job.list', {})).find((job) => job.id === id)?.state.kind).toBe('running');
  await ask('job.stop', { jobId: id });
  // Whoever is the older one is told so, and changes nothing.
  expect(await older.mars2('studies', 'list')).toMatchObject({
    code: 3,
    output: expect.stringMatching(/a newer version \([\s\S]*workbench of version/),
  });
});

test('without a service: status says so, stop does nothing, and a terminal command in the folder is not ended', async () => {
  const { dataDir, mars2 } = await bench();
  const status = await mars2('service', 'status');
  expect(status).toMatchObject({ code: 3, output: expect.stringContaining('No service runs') });
  expect(await mars2('service', 'stop')).toMatchObject({
    code: 0,
    output: expect.stringContaining('No service was running'),
  });
  expect(await mars2('service', 'connect')).toMatchObject({ code: 3 });
  const workbench = await unwrap(
    openWorkbench({
      ...{ dataDir, project, secrets: environmentSecrets({}) },
      ...{ appVersion: 'test', kind: 'window', reconnects: false },
      nodeRuntime: { command: process.execPath, env: {} },
    }),
  );
  onTestFinished(() => workbench.close());
  expect(await mars2('service', 'start', '--temporary')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Settings > Background service'),
  });
  expect(await mars2('service', 'stop')).toMatchObject({ code: 1 });
});
