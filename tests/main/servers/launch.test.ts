import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ok } from '../../../main/base';
import type { RunningServer, ServerService } from '../../../main/servers';
import type { Gpu, ServerLaunch, ServerView } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { startScriptedServer } from '../../support/scripted-http-server';
import { openServers } from '../../support/server-bench';
import { makeVllmEnvironment, standInLaunch } from '../../support/vllm-environment';

let bench: JobBench;
let environment: string;
let launches: ServerLaunch[];
let service: ServerService;
const opened: ServerService[] = [];

beforeEach(async () => {
  bench = await openJobBench();
  environment = await makeVllmEnvironment(bench.folder);
  launches = [];
  service = open();
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.dispose();
  await bench.dispose();
});

function open(jobs = bench.jobs, restartWaitsMs: readonly number[] = [10, 10], gpus: readonly Gpu[] = []) {
  const made = openServers({
    jobs,
    machines: [bench.machine],
    modelServerScript: '/nowhere',
    launches: () => launches,
    gpus: async () => ok({ gpus, reservations: [], user: 'me' }),
    // Each check is a script: one that comes later costs less than a start takes.
    supervision: { restartWaitsMs, checkEveryMs: 150, hungMs: 300 },
  });
  opened.push(made);
  return made;
}

/** Saves the launch and starts it. */
async function start(behaviour = '', change: Partial<ServerLaunch> = {}, of = service): Promise<string[]> {
  launches = [standInLaunch(environment, behaviour, change)];
  const started = await of.launch('qwen');
  if (!started.ok) throw new Error(started.error.message);
  return [...started.value];
}

function viewOf(id: string, of = service): ServerView {
  const view = of.views().find((one) => one.id === id);
  if (view === undefined) throw new Error(`No view of ${id}`);
  return view;
}

const resolved = (id: string, of = service): Promise<ServerView> =>
  eventually('the end of the start', () => {
    const view = viewOf(id, of);
    return view.state.kind === 'ready' || view.state.kind === 'failed' ? view : null;
  });

async function only(ids: readonly string[]): Promise<ServerView> {
  expect(ids).toHaveLength(1);
  return resolved(ids[0] ?? '');
}

function ask(server: RunningServer, ordinal = 0) {
  return server.client.complete(
    {
      messages: [{ role: 'user', content: 'Go.' }],
      sampling: { temperature: 1, topP: 1, maxTokens: 8 },
      seed: 1,
      metadata: { problemId: 'p', session: 's', ordinal, parent: '', turn: 0 },
    },
    new AbortController().signal,
  );
}

const spec = { kind: 'launch', id: 'q', model: 'qwen3', launchId: 'qwen', maxInFlight: 8 } as const;

async function running(of = service): Promise<RunningServer> {
  const server = await of.ensure(spec, null, 'study');
  if (!server.ok) throw new Error(server.error.message);
  return server.value;
}

/** Ends the whole group of a server's job, as the system does when memory runs out. */
function crash(id: string): void {
  process.kill(-(viewOf(id).pid ?? 0), 'SIGKILL');
}

describe('a start', () => {
  test('is reported in stages with their times, and ready means a real token', async () => {
    const steps = join(bench.folder, 'steps');
    await writeFile(steps, '');
    const ids = await start('', { env: { STAND_IN_STEPS: steps } });
    const until = (stage: RegExp) =>
      eventually(`the stage ${stage}`, () => {
        const { state } = viewOf(ids[0] ?? '');
        return state.kind === 'starting' && stage.test(state.stage);
      });
    await until(/process up/);
    await writeFile(steps, '123');
    await until(/weights loading: 2 of 4 files/);
    await writeFile(steps, '123456');
    await until(/warming up/);
    await writeFile(steps, '1234567');
    const view = await only(ids);
    expect(view).toMatchObject({ state: { kind: 'ready' }, kind: 'vllm', launchId: 'qwen', diagnosis: null });
    expect(view.stages.map(({ name }) => name)).toEqual([
      'process up',
      'weights loading',
      'warming up',
      'port open',
      'model listed',
      'one real token',
    ]);
    const times = view.stages.map(({ at }) => at);
    expect([...times].sort()).toEqual(times);
  });

  test('reports its numbers once it is ready', async () => {
    const { id } = await only(await start());
    const metrics = await eventually('the metrics', () => viewOf(id).metrics);
    expect(metrics).toMatchObject({ running: 0, waiting: 0, cacheUse: 0.25 });
  });

  test('without memory fails with the cause, what to do, and the lines that say so', async () => {
    const view = await only(await start('out-of-memory'));
    expect(view.state).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('The GPU ran out of memory'),
    });
    expect(view.diagnosis).toMatchObject({
      todo: expect.stringContaining('take more GPUs'),
      inLaunch: true,
    });
    expect(view.diagnosis?.lines.join('\n')).toContain('CUDA out of memory');
  });

  test('that hangs after a fatal word is ended, with that word as its cause', async () => {
    const view = await only(await start('hangs'));
    expect(view.state).toMatchObject({ kind: 'failed', message: expect.stringContaining('(NCCL)') });
    const job = bench.jobs.view(view.jobId ?? '');
    expect(job.ok && job.value.state.kind).toBe('exited');
  });

  test('of another model is refused with both names', async () => {
    const view = await only(await start('wrong-model'));
    expect(view.state).toMatchObject({ message: expect.stringMatching(/"qwen3" but "somebody-else"/) });
  });

  test('whose port is taken gets another, and says so', async () => {
    const ids = await start(`port-taken-once ${join(bench.folder, 'taken')}`);
    const firstJob = viewOf(ids[0] ?? '').jobId;
    const view = await only(ids);
    expect(view.state.kind).toBe('ready');
    expect(view.jobId).not.toBe(firstJob);
    expect(view.stages.map(({ name }) => name).join('\n')).toMatch(/port \d+ was taken: trying another/);
  });

  test('at a port that the launch names and another program has is refused at once', async () => {
    const other = await startScriptedServer(() => undefined);
    launches = [standInLaunch(environment, '', { port: Number(new URL(other.baseUrl).port) })];
    expect(await service.launch('qwen')).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('is taken by another program') },
    });
    await other.dispose();
    expect(bench.jobs.list()).toEqual([]);
  });

  test('in an absent environment fails with the message of its set-up', async () => {
    const view = await only(await start('', { environment: { kind: 'venv', place: '/nowhere/at-all' } }));
    expect(view.state.kind).toBe('failed');
    expect(view.diagnosis?.lines.join('\n')).toContain('no virtual environment in /nowhere/at-all');
  });

  test('can be stopped in the middle', async () => {
    const [id = ''] = await start('', { env: { STAND_IN_STEP_MS: '60000' } });
    await eventually('the weights', () => viewOf(id).stages.some(({ name }) => name === 'weights loading'));
    expect(await service.stop(id)).toEqual(ok(null));
    expect(viewOf(id)).toMatchObject({ state: { kind: 'stopped' }, pid: null });
  });
});

test('a launch that runs is not started twice', async () => {
  const first = await start();
  expect(await service.launch('qwen')).toEqual(ok(first));
});

test('an unknown launch is refused by name', async () => {
  expect(await service.launch('gone')).toMatchObject({ ok: false, error: { message: /"gone"/ } });
});

test('an edited command without a place for its port is refused', async () => {
  launches = [standInLaunch(environment, '', { commandLine: 'vllm serve x' })];
  expect(await service.launch('qwen')).toMatchObject({
    error: { message: expect.stringContaining('{port}') },
  });
});

test('more GPUs than the machine has are refused, instead of a server that waits for ever', async () => {
  launches = [standInLaunch(environment, '', { gpus: 1 })];
  const refused = await service.launch('qwen');
  expect(refused).toMatchObject({
    error: { message: expect.stringContaining('It requests 1 GPU, but the machine has 0.') },
  });
  expect(bench.jobs.list()).toEqual([]);
});

test('a restart takes the launch as it is saved now', async () => {
  const { id } = await only(await start('wrong-model'));
  launches = [standInLaunch(environment)];
  expect(await service.restart(id)).toEqual(ok(null));
  expect((await resolved(id)).state.kind).toBe('ready');
});

test('only an ended server can be taken out of the list, and its job goes with it', async () => {
  const { id, jobId } = await only(await start());
  expect(await service.remove(id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  await service.stop(id);
  expect(await service.remove(id)).toEqual(ok(null));
  expect(service.views()).toEqual([]);
  expect(bench.jobs.view(jobId ?? '').ok).toBe(false);
});

test('one that was taken out does not come back as a former one of its launch', async () => {
  const former = await only(await start());
  await service.stop(former.id);
  const { id } = await only(await start());
  await service.stop(id);
  await service.remove(id);
  expect(bench.jobs.list()).toEqual([]);
});

test('each replica gets GPUs of its own, and sees no other', async () => {
  const card = (id: string): Gpu => ({ ...idle, id });
  const probe = async () => ok({ gpus: [card('GPU-a'), card('GPU-b')], reservations: [], user: 'me' });
  const withGpus = await openJobBench({ gpus: probe });
  onTestFinished(() => withGpus.dispose());
  const of = openServers({
    jobs: withGpus.jobs,
    machines: [withGpus.machine],
    modelServerScript: '/nowhere',
    launches: () => launches,
    gpus: probe,
    supervision: { checkEveryMs: 150 },
  });
  opened.push(of);
  const ids = await start('', { gpus: 1, replicas: 2 }, of);
  const views = await Promise.all(ids.map((id) => resolved(id, of)));
  expect(views.map(({ gpuIds }) => gpuIds)).toEqual([['GPU-a'], ['GPU-b']]);
  const logs = await Promise.all(ids.map((id) => of.readLog(id, 0, 10_000)));
  expect(logs.map((log) => log.ok && /CUDA_VISIBLE_DEVICES=(\S*)/.exec(log.value.text)?.[1])).toEqual([
    'GPU-a',
    'GPU-b',
  ]);
  // The third would wait for one.
  const plan = await of.plan(standInLaunch(environment, '', { gpus: 1 }));
  expect(plan.ok && plan.value.problems.join()).toContain('assigned to "Qwen (1 of 2)"');
});

test('after a restart of the app a launch continues, and one that failed still says why', async () => {
  const { id, pid } = await only(await start());
  service.dispose();
  const later = open(await bench.restarted());
  await later.reattach();
  expect(await resolved(id, later)).toMatchObject({ state: { kind: 'ready' }, pid });
  later.dispose();

  const dead = open(await bench.restarted(), []);
  await dead.reattach();
  await resolved(id, dead);
  process.kill(-(pid ?? 0), 'SIGKILL');
  await eventually('the failure', () => viewOf(id, dead).state.kind === 'failed');
  dead.dispose();
  const last = open(await bench.restarted());
  await last.reattach();
  const view = await eventually('the cause', () => {
    const found = viewOf(id, last);
    return found.diagnosis === null ? null : found;
  });
  expect(view.state.kind).toBe('failed');
});

test('a study that gives up while the weights load leaves a server that can be stopped as its own', async () => {
  launches = [standInLaunch(environment, '', { env: { STAND_IN_STEP_MS: '60000' } })];
  const stop = new AbortController();
  const pending = service.ensure(spec, null, 'study', stop.signal);
  await eventually('the server', () => service.views()[0]?.state.kind === 'starting');
  stop.abort();
  expect(await pending).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  await service.stopOwnedBy('study');
  expect(service.views()[0]?.state.kind).toBe('stopped');
});

describe('replicas', () => {
  test('share the requests, the least busy first', async () => {
    await start('slow-answers 300', { replicas: 2 });
    const server = await running();
    await eventually('both', () => service.views().every(({ state }) => state.kind === 'ready'));
    const answers = await Promise.all([0, 1, 2, 3].map((ordinal) => ask(server, ordinal)));
    const texts = answers.map((answer) => (answer.ok ? answer.value.text : ''));
    expect([...new Set(texts)].map((text) => texts.filter((one) => one === text).length)).toEqual([2, 2]);
  });

  test('one that dies is left out, its requests go to the others, and it comes back', async () => {
    await start('slow-answers 400', { replicas: 2 });
    const server = await running();
    await eventually('both', () => service.views().every(({ state }) => state.kind === 'ready'));
    const answers = Promise.all([0, 1, 2, 3].map((ordinal) => ask(server, ordinal)));
    await eventually('the requests', () => service.views().every(({ inFlight }) => inFlight === 2));
    const victim = service.views()[0]?.id ?? '';
    crash(victim);
    expect((await answers).map(({ ok: isGood }) => isGood)).toEqual([true, true, true, true]);
    await eventually('the restart', () => viewOf(victim).state.kind === 'ready');
  });
});

describe('a speed test', () => {
  test('reports tokens per second and the time to the first token for every number of concurrent requests', async () => {
    const { id } = await only(await start());
    const reports: [number, number][] = [];
    const rows = await service.speedTest(
      id,
      { concurrencies: [1, 4], tokens: 20 },
      (done, total) => reports.push([done, total]),
      new AbortController().signal,
    );
    expect(rows).toMatchObject({
      ok: true,
      value: [
        { concurrency: 1, requests: 4, failures: 0 },
        { concurrency: 4, requests: 8, failures: 0 },
      ],
    });
    const [alone, four] = rows.ok ? rows.value : [];
    // Which of both is faster depends on what else the computer does.
    for (const row of [alone, four]) expect(row?.tokensPerSecond).toBeGreaterThan(0);
    expect(alone?.firstTokenMs?.median).toBeGreaterThan(0);
    expect(reports.at(-1)).toEqual([13, 13]);
  });

  test('of a server that is not ready is refused', async () => {
    const { id } = await only(await start('wrong-model'));
    const order = { concurrencies: [1], tokens: 1 };
    const refused = await service.speedTest(id, order, () => undefined, new AbortController().signal);
    expect(refused).toMatchObject({ ok: false, error: { code: 'conflict' } });
  });
});

const idle: Gpu = {
  id: '',
  index: null,
  name: 'H100',
  vendor: 'nvidia',
  sliceOf: null,
  utilisation: 0,
  memoryUsedMib: 4,
  memoryTotalMib: 81_559,
  temperatureC: null,
  powerW: null,
  powerLimitW: null,
  problems: [],
  processes: [],
};

describe('a plan', () => {
  const card = (id: string, usedMib: number): Gpu => ({
    ...idle,
    id,
    memoryUsedMib: usedMib,
    processes:
      usedMib > 1_000 ? [{ pid: 1, user: 'user1', command: null, memoryMib: usedMib, startedAt: null }] : [],
  });

  test('has the exact command, the GPUs that would be taken, and an estimate from the preset', async () => {
    const of = open(bench.jobs, [], [card('GPU-a', 70_000), card('GPU-b', 4)]);
    const planned = await of.plan(standInLaunch(environment, '', { gpus: 1, contextTokens: 40_000 }));
    expect(planned).toMatchObject({
      ok: true,
      value: {
        commandLine:
          'vllm serve Qwen/Qwen3-8B --served-model-name qwen3 --host 127.0.0.1 --port {port} --gpu-memory-utilization 0.9 --max-model-len 40000',
        gpuIds: ['GPU-b'],
        fit: {
          verdict: 'fits',
          weightsGib: 15.26,
          text: expect.stringContaining('Estimate: weights 15.3 GiB'),
        },
        problems: [],
      },
    });
    expect(bench.jobs.list()).toEqual([]);
  });

  test('names its problems: GPUs in use, a missing program, a missing folder', async () => {
    const of = open(bench.jobs, [], [card('GPU-a', 70_000)]);
    // An environment with programs of its own only, so that a llama-server of this computer is not found.
    await writeFile(join(environment, 'bin', 'activate'), `PATH='${join(environment, 'bin')}'\n`);
    const launch = standInLaunch(environment, '', {
      gpus: 1,
      engine: 'llama-cpp',
      weights: '/nowhere/model.gguf',
    });
    const planned = await of.plan(launch);
    const problems = planned.ok ? planned.value.problems.join('\n') : '';
    expect(problems).toContain('llama.cpp server was not found');
    expect(problems).toContain('user1');
    expect(problems).toContain('no "/nowhere/model.gguf"');
  });

  test('of an absent environment says so', async () => {
    const planned = await service.plan(standInLaunch('/nowhere/at-all'));
    expect(planned.ok && planned.value.problems.join()).toContain(
      'no virtual environment in /nowhere/at-all',
    );
  });
});
