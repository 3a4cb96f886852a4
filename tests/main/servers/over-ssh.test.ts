import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasEnded } from '../../../main/jobs';
import type { RunningServer, ServerService } from '../../../main/servers';
import type { ServerLaunch, ServerSpec, ServerView } from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { openFleet, sshSpec } from '../../support/fleet-bench';
import { openJobsOver } from '../../support/job-bench';
import { writeRecording } from '../../support/model-server-process';
import { openServers } from '../../support/server-bench';
import { hasSshdAccounts, type Sshd, type SshdOptions, startSshd } from '../../support/sshd';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';
import { makeVllmEnvironment, standInLaunch } from '../../support/vllm-environment';

let built: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let script: string;

beforeAll(async () => {
  built = await makeTemporaryFolder();
  script = await bundleScript(resolve('main/servers/model-server.ts'), built.path);
});
afterAll(() => built.dispose());

const nodeOnPath = { '.profile': `PATH='${join(process.execPath, '..')}':$PATH\nexport PATH\n` };
const recorded: ServerSpec = {
  kind: 'recorded',
  id: 'r',
  model: 'rec',
  recordingId: 'rec',
  latencyMs: 0,
  maxInFlight: 4,
  machineId: 'lab',
};

type Lab = {
  readonly sshd: Sshd;
  readonly servers: () => ServerService;
  readonly recording: string;
  /** Changes the machine in the list: the same host, by another name. */
  readonly move: () => Promise<void>;
  /** As after a start of the app: new services and connections. */
  readonly restart: () => Promise<void>;
  readonly view: () => ServerView;
  readonly until: (kind: ServerView['state']['kind']) => Promise<ServerView>;
};

/** A machine behind a real sshd, on which model servers run; what runs there is ended with the test. */
async function openLab(options: SshdOptions = {}, launches: readonly ServerLaunch[] = []): Promise<Lab> {
  const sshd = await startSshd({ homeFiles: nodeOnPath, ...options });
  onTestFinished(() => sshd.stop());
  const folder = await temporaryFolder();
  const recording = join(folder, 'recording.jsonl');
  await writeRecording(recording, 3, 10);
  const open = async () => {
    const { fleet } = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    const jobs = await openJobsOver(fleet, join(folder, 'jobs'));
    const servers = openServers({
      jobs,
      machines: fleet,
      modelServerScript: script,
      launches: () => launches,
      supervision: { checkEveryMs: 200, restartWaitsMs: [100, 100, 100] },
    });
    // Of the last app alone, and before its fleet is disposed: hooks run in reverse order.
    onTestFinished(async () => {
      if (app.jobs !== jobs) return;
      servers.dispose();
      for (const { id, view } of jobs.list()) if (!hasEnded(view.state)) await jobs.stop(id, 0);
      await close();
    });
    return { fleet, jobs, servers };
  };
  let app = await open();
  const close = async () => {
    app.servers.dispose();
    await app.jobs.dispose();
    await app.fleet.dispose();
  };
  const view = () => {
    const [found] = app.servers.views();
    if (found === undefined) throw new Error('No server');
    return found;
  };
  return {
    sshd,
    servers: () => app.servers,
    recording,
    move: async () => {
      await unwrap(
        app.fleet.change({ kind: 'ssh', id: 'lab', name: 'Lab', host: `${sshd.user}@${sshd.host}` }),
      );
    },
    restart: async () => {
      await close();
      app = await open();
    },
    view,
    until: (kind) =>
      eventually(
        `the server to be ${kind}`,
        () => {
          const found = app.servers.views()[0];
          return found?.state.kind === kind ? found : null;
        },
        40_000,
      ),
  };
}

function ask(server: RunningServer, ordinal = 0) {
  return server.client.complete(
    {
      messages: [{ role: 'user', content: 'Go.' }],
      sampling: { temperature: 1, topP: 1, maxTokens: 8 },
      seed: 1,
      metadata: { problemId: 'p/1', session: 's', ordinal, parent: '', turn: ordinal },
    },
    new AbortController().signal,
  );
}

describe.skipIf(!hasSshdAccounts)('servers of a machine behind ssh (needs root and sshd)', () => {
  test('a recorded one runs there from copies of script and recording, and answers here', async () => {
    const lab = await openLab();
    const server = await unwrap(lab.servers().ensure(recorded, lab.recording, 'study'));
    expect(await ask(server)).toMatchObject({ ok: true });
    expect(lab.view()).toMatchObject({ machineId: 'lab', state: { kind: 'ready', baseUrl: server.baseUrl } });
    const remoteFolder = join(lab.sshd.home, '.mars2-workbench');
    expect(await readdir(join(remoteFolder, 'models'))).toHaveLength(1);
    expect((await readdir(join(remoteFolder, 'tools'))).join()).toMatch(/model-server-[0-9a-f]{16}\.mjs/);
    await lab.servers().stopOwnedBy('study');
    expect(lab.view().state.kind).toBe('stopped');
  });

  test('one that was asked while its connection was cut answers when it is made again', async () => {
    const lab = await openLab();
    const server = await unwrap(lab.servers().ensure(recorded, lab.recording, 'study'));
    const { pid } = lab.view();
    await lab.sshd.down();
    const seen = eventually(
      'the waiting',
      () => {
        const { state } = lab.view();
        return state.kind === 'starting' ? state.stage : null;
      },
      30_000,
    );
    // The study's next try: it waits for the machine instead of failing.
    await ask(server);
    expect(await seen).toMatch(/does not answer/);
    const waiting = ask(server, 1);
    await lab.sshd.up();
    expect(await waiting).toMatchObject({ ok: true });
    expect(lab.view()).toMatchObject({ state: { kind: 'ready' }, pid });
  });

  test('one whose machine is changed in the list is connected again', async () => {
    const lab = await openLab();
    const server = await unwrap(lab.servers().ensure(recorded, lab.recording, 'study'));
    const before = server.baseUrl;
    await lab.move();
    // The way over the former connection is gone: the next try finds another.
    await ask(server);
    expect(await ask(server, 1)).toMatchObject({ ok: true });
    expect(server.baseUrl).not.toBe(before);
  });

  test('one continues while the app is closed, and is found again', async () => {
    const lab = await openLab();
    await unwrap(lab.servers().ensure(recorded, lab.recording, 'study'));
    const { id, pid } = lab.view();
    await lab.restart();
    const server = await unwrap(lab.servers().ensure(recorded, lab.recording, 'study'));
    expect(lab.view()).toMatchObject({ id, pid });
    expect(await ask(server)).toMatchObject({ ok: true });
  });

  test('one that dies there starts again there', async () => {
    const lab = await openLab();
    const server = await unwrap(lab.servers().ensure(recorded, lab.recording, 'study'));
    const pid = lab.view().pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await ask(server);
    expect(await ask(server, 1)).toMatchObject({ ok: true });
    expect(lab.view().pid).not.toBe(pid);
  });

  test('a launch reaches one real token over the connection, and says why it fails', async () => {
    const environment = await makeVllmEnvironment(await temporaryFolder());
    const good = standInLaunch(environment, '', { machineId: 'lab' });
    const bad = standInLaunch(environment, 'out-of-memory', { machineId: 'lab', id: 'bad' });
    const lab = await openLab({}, [good, bad]);
    await unwrap(lab.servers().launch('qwen'));
    const view = await lab.until('ready');
    expect(view.stages.map(({ name }) => name)).toContain('one real token');
    const metrics = await eventually('metrics', () => lab.view().metrics);
    expect(metrics).toMatchObject({ cacheUse: 0.25 });
    const [id = ''] = await unwrap(lab.servers().launch('bad'));
    const failed = await eventually(
      'the failure',
      () => {
        const found = lab
          .servers()
          .views()
          .find((one) => one.id === id);
        return found?.state.kind === 'failed' ? found : null;
      },
      30_000,
    );
    expect(failed.diagnosis?.lines.join('\n')).toContain('CUDA out of memory');
  });

  test('a machine that forbids forwarding is named as that', async () => {
    const lab = await openLab({ forwarding: false });
    const ensured = await lab.servers().ensure(recorded, lab.recording, 'study');
    expect(ensured).toMatchObject({ ok: false, error: { message: expect.stringMatching(/forward/i) } });
  });
});
