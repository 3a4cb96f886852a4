import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JobService } from '../../../main/jobs';
import type { RunningServer, ServerService } from '../../../main/servers';
import type { ServerSpec, ServerView } from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { type JobBench, openJobBench } from '../../support/job-bench';
import { writeRecording } from '../../support/model-server-process';
import { openServers } from '../../support/server-bench';
import { makeTemporaryFolder } from '../../support/temporary-folder';

let built: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let script: string;
let bench: JobBench;
let recording: string;
let service: ServerService;
const opened: ServerService[] = [];

beforeAll(async () => {
  built = await makeTemporaryFolder();
  script = await bundleScript(resolve('main/servers/model-server.ts'), built.path);
});
afterAll(() => built.dispose());

beforeEach(async () => {
  bench = await openJobBench();
  recording = join(bench.folder, 'recording.jsonl');
  await writeRecording(recording, 3, 10);
  service = open(bench.jobs);
});
afterEach(async () => {
  for (const one of opened.splice(0)) one.dispose();
  await bench.dispose();
});

function open(
  jobs: JobService,
  program = script,
  restartWaitsMs: readonly number[] = [10, 10],
): ServerService {
  const made = openServers({
    jobs,
    machines: [bench.machine],
    modelServerScript: program,
    supervision: { restartWaitsMs, startTimeoutMs: 15_000 },
  });
  opened.push(made);
  return made;
}

function spec(change: { readonly id?: string; readonly model?: string } = {}): ServerSpec {
  return {
    kind: 'recorded',
    id: 'r',
    model: 'rec',
    recordingId: 'rec',
    latencyMs: 0,
    maxInFlight: 4,
    ...change,
  };
}

async function started(
  owner: string | null = 'study',
  of = service,
  serverSpec = spec(),
): Promise<RunningServer> {
  const server = await of.ensure(serverSpec, recording, owner);
  if (!server.ok) throw new Error(server.error.message);
  return server.value;
}

function complete(server: RunningServer, ordinal = 0, signal = new AbortController().signal) {
  return server.client.complete(
    {
      messages: [{ role: 'user', content: 'Go.' }],
      sampling: { temperature: 1, topP: 1, maxTokens: 100 },
      seed: 1,
      metadata: { problemId: 'p/1', session: 's', ordinal, parent: '', turn: ordinal },
    },
    signal,
  );
}

function viewOf(id: string, of = service): ServerView {
  const view = of.views().find((one) => one.id === id);
  if (view === undefined) throw new Error(`No view of ${id}`);
  return view;
}

test('an ensured server is ready, answers, and says so', async () => {
  const server = await started();
  expect(await complete(server)).toMatchObject({
    ok: true,
    value: { text: expect.stringContaining('return 1') },
  });
  const { pid, ...view } = viewOf(server.id);
  expect(view).toMatchObject({
    kind: 'recorded',
    model: 'rec',
    spec: spec(),
    state: { kind: 'ready', baseUrl: server.baseUrl },
    studyId: 'study',
    inFlight: 0,
    answered: 1,
  });
  expect(() => process.kill(pid ?? 0, 0)).not.toThrow();
});

test('changes are emitted with the stages on the way', async () => {
  const seen: string[] = [];
  service.onChange((views) => {
    for (const { state } of views) seen.push(state.kind === 'starting' ? state.stage : state.kind);
  });
  await started();
  await eventually('the news', () => seen.includes('ready'));
  expect(seen.indexOf('process up')).toBeLessThan(seen.indexOf('ready'));
});

test('equal servers are started once, for any number of concurrent requests and any names in runs', async () => {
  const pending = ['a', 'b', 'c'].map((id) => started(id, service, spec({ id })));
  const ids = (await Promise.all(pending)).map((server) => server.id);
  expect(new Set(ids).size).toBe(1);
  expect(service.views()).toHaveLength(1);
});

test('another model or another file content is another server', async () => {
  const first = await started();
  const second = await started('study', service, spec({ model: 'other' }));
  await writeRecording(recording, 3, 11);
  const third = await started();
  expect(new Set([first.id, second.id, third.id]).size).toBe(3);
});

test('a server is stopped with the last study that needs it', async () => {
  const server = await started('one');
  await started('two');
  await service.stopOwnedBy('one');
  expect(viewOf(server.id).state.kind).toBe('ready');
  await service.stopOwnedBy('two');
  expect(viewOf(server.id)).toMatchObject({ state: { kind: 'stopped' }, pid: null });
  const moments = bench.jobs.views().find(({ id }) => id === viewOf(server.id).jobId)?.timeline ?? [];
  expect(moments.find(({ what }) => what === 'stopping')?.why).toBe(
    'No study or reproduction needs it any more.',
  );
  expect(await complete(server)).toMatchObject({ ok: false, error: { kind: 'transport' } });
});

test('a server that a person started outlives the studies that use it', async () => {
  const server = await started(null);
  await started('one');
  await service.stopOwnedBy('one');
  expect(viewOf(server.id).state.kind).toBe('ready');
  await service.stop(server.id);
  expect(viewOf(server.id).state.kind).toBe('stopped');
});

test('after a restart of the app the same process keeps answering', async () => {
  const before = await started();
  const { pid } = viewOf(before.id);
  service.dispose();
  const later = open(await bench.restarted());
  const after = await started('study', later);
  expect(after.id).toBe(before.id);
  expect(viewOf(after.id, later).pid).toBe(pid);
  expect(await complete(after)).toMatchObject({ ok: true });
  await later.stopOwnedBy('study');
});

test('reattach lists the servers that a killed app left', async () => {
  const before = await started();
  service.dispose();
  const later = open(await bench.restarted());
  await later.reattach();
  const seen = later.views().map(({ id, studyId, isAdopted }) => [id, studyId, isAdopted]);
  expect(seen).toEqual([[before.id, 'study', true]]);
});

test('one that was stopped is listed after a restart, once, runs again from there, and is removed for good', async () => {
  const first = await started(null);
  await service.stop(first.id);
  const second = await started(null);
  await service.stop(second.id);
  service.dispose();
  const later = open(await bench.restarted());
  await later.reattach();
  expect(later.views().map(({ id, state }) => [id, state.kind])).toEqual([[second.id, 'stopped']]);
  expect((await later.readLog(second.id, 0, 1_000)).ok).toBe(true);
  expect(await later.restart(second.id)).toEqual({ ok: true, value: null });
  await eventually('its start', () => viewOf(second.id, later).state.kind === 'ready');
  await later.stop(second.id);
  expect(await later.remove(second.id)).toEqual({ ok: true, value: null });
  later.dispose();
  const last = open(await bench.restarted());
  await last.reattach();
  expect(last.views()).toEqual([]);
});

test('a server that is killed while it starts, after the app was, starts again', async () => {
  const begun = join(bench.folder, 'begun');
  const program = join(bench.folder, 'program.mjs');
  await writeFile(
    program,
    `import { existsSync, writeFileSync } from 'node:fs';
if (existsSync(${JSON.stringify(begun)})) await import(${JSON.stringify(script)});
else {
  writeFileSync(${JSON.stringify(begun)}, '');
  setInterval(() => undefined, 1_000);
}
`,
  );
  const first = open(bench.jobs, program);
  const cut = first.ensure(spec(), recording, null);
  await eventually('its process', () => existsSync(begun));
  first.dispose();
  await cut;
  const later = open(await bench.restarted(), program);
  await later.reattach();
  const server = started('study', later);
  const view = await eventually('a study that waits for it', () => {
    const [found] = later.views();
    return found?.studyId === 'study' ? found : null;
  });
  // With its wrapper, so that there is no exit code.
  process.kill(-(view.pid as number), 'SIGKILL');
  expect(await complete(await server)).toMatchObject({ ok: true });
});

test('a killed server starts again and its client finds it', async () => {
  const server = await started();
  const pid = viewOf(server.id).pid ?? 0;
  const known: boolean[] = [];
  bench.jobs.onNotice(({ job }) => known.push(service.isRestarting(job.id)));
  process.kill(pid, 'SIGKILL');
  await eventually('the restart', () => {
    const view = viewOf(server.id);
    return view.state.kind === 'ready' && view.pid !== pid;
  });
  expect(await complete(server)).toMatchObject({ ok: true });
  const log = await service.readLog(server.id, 0, 100_000);
  expect(log.ok && log.value.text.match(/listening on/g)).toHaveLength(2);
  // Who is told of the failure can be told of the restart, which is now over.
  expect(known).toEqual([true]);
  expect(service.isRestarting(viewOf(server.id).jobId ?? '')).toBe(false);
});

test('who asks while a server starts again waits for it', async () => {
  const slow = open(bench.jobs, script, [300]);
  const server = await started('study', slow);
  process.kill(viewOf(server.id, slow).pid ?? 0, 'SIGKILL');
  // The log is read before the hint is known, and on a busy computer that takes a moment.
  await eventually('the failure', () => {
    const { state } = viewOf(server.id, slow);
    return state.kind === 'failed' && state.hint?.includes('Restarts in') === true;
  });
  expect(await complete(server)).toMatchObject({ ok: true });
});

test('restarts end after the last pause, and the failure shows the log', async () => {
  const server = await started();
  await rm(recording);
  process.kill(viewOf(server.id).pid ?? 0, 'SIGKILL');
  const state = await eventually('the end', () => {
    const found = viewOf(server.id).state;
    return found.kind === 'failed' && found.hint?.includes('failed each time') ? found : null;
  });
  expect(state).toMatchObject({ hint: expect.stringContaining('restarted 2 times') });
  expect(viewOf(server.id).diagnosis?.lines.join('\n')).toContain('cannot be read');
  expect(await service.ensure(spec(), recording, 'study')).toMatchObject({
    error: { message: `The recording ${recording} cannot be read: it does not exist (ENOENT).` },
  });
});

test('a server that a person started is restarted too', async () => {
  const server = await started(null);
  const pid = viewOf(server.id).pid ?? 0;
  process.kill(pid, 'SIGKILL');
  await eventually('the restart', () => {
    const view = viewOf(server.id);
    return view.state.kind === 'ready' && view.pid !== pid;
  });
});

test('a server whose job a person has stopped is stopped, and stays so', async () => {
  const server = await started();
  await bench.jobs.stop(viewOf(server.id).jobId ?? '', 1_000);
  await eventually('the end', () => viewOf(server.id).state.kind === 'stopped');
  expect(await complete(server)).toMatchObject({ ok: false, error: { kind: 'transport' } });
});

test('a start that fails is refused with the last lines of the log', async () => {
  const broken = join(bench.folder, 'broken.mjs');
  await writeFile(broken, 'console.error("no such layer"); process.exit(3);');
  const refused = await open(bench.jobs, broken).ensure(spec(), recording, 'study');
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'unavailable', message: expect.stringMatching(/exit code 3 before[\s\S]*no such layer/) },
  });
});

test('an absent file is refused before anything starts', async () => {
  const refused = await service.ensure(spec(), join(bench.folder, 'nowhere.jsonl'), 'study');
  expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('nowhere.jsonl') } });
  expect(await bench.jobs.list()).toEqual([]);
});

test('an external address needs no process but must answer for its model', async () => {
  const server = await started();
  const outside = (model: string): ServerSpec => ({
    kind: 'url',
    id: 'u',
    model,
    baseUrl: server.baseUrl,
    maxInFlight: 1,
  });
  expect(await service.ensure(outside('gpt'), null, 'study')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('does not serve "gpt" but "rec"') },
  });
  expect(await bench.jobs.list()).toHaveLength(1);
});
