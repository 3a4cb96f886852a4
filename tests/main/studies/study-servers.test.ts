import { expect, test } from 'vitest';
import { Emitter, failed, ok, type Result } from '../../../main/base';
import type { ChatClient, RunningServer } from '../../../main/servers';
import { StudyServers, serverKey } from '../../../main/studies/study-servers';
import type { Refusal, ServerSpec, ServerView } from '../../../preload/contract';

const outside: ServerSpec = {
  kind: 'url',
  id: 'o',
  model: 'm',
  baseUrl: 'http://127.0.0.1:1/v1',
  maxInFlight: 3,
};
const ours: ServerSpec = {
  kind: 'recorded',
  id: 'r',
  model: 'rec',
  recordingId: 'rec',
  latencyMs: 0,
  maxInFlight: 2,
};

const client: ChatClient = {
  complete: async () => failed({ kind: 'transport', message: 'ECONNREFUSED' }),
  models: async () => ok(['m']),
  maxInFlight: 3,
  inFlight: () => 0,
  answered: () => 0,
  dispose: () => undefined,
};
const view: ServerView = {
  id: 's',
  kind: 'vllm',
  model: 'qwen',
  state: { kind: 'stopped' },
  startedAt: '',
  pid: null,
  studyId: null,
  inFlight: 0,
  answered: 0,
  logBytes: 0,
  machineId: 'local',
  jobId: null,
  launchId: 'qwen',
  gpuIds: [],
  stages: [],
  metrics: null,
  diagnosis: null,
};
const running = ok({ id: 's', baseUrl: '', client });

type Answer = Result<RunningServer, Refusal>;

/** As a server that is never ready. */
const untilStopped = (signal?: AbortSignal): Promise<Answer> =>
  new Promise((resolve) => {
    const refusal = { code: 'cancelled', message: 'Stopped.' } as const;
    signal?.addEventListener('abort', () => resolve(failed(refusal)));
  });

/** `again` answers every question for a server but the first two. */
async function openServers(again: (signal?: AbortSignal) => Promise<Answer> = async () => running) {
  const stop = new AbortController();
  const requested: ServerSpec[] = [];
  const servers = new StudyServers({
    servers: {
      onChange: () => ({ dispose: () => undefined }),
      ensure: async (spec, _path, _owner, signal) => {
        requested.push(spec);
        return requested.length > 2 ? again(signal) : running;
      },
    },
    parallel: null,
    modelFile: async () => ok(null),
    studyId: 'study',
    signal: stop.signal,
    onRelease: () => undefined,
  });
  expect(await servers.start([outside, ours, outside], () => undefined)).toEqual(ok(null));
  return { servers, requested, stop };
}

const launchOf = (id: string): ServerSpec => ({
  kind: 'launch',
  id,
  model: id,
  launchId: id,
  maxInFlight: 1,
});

/** Servers that a test makes ready, or refuses, by the id of their launch. */
function openLaunches() {
  const answers = new Map<string, (answer: Answer) => void>();
  const changes = new Emitter<readonly ServerView[]>();
  const servers = new StudyServers({
    servers: {
      onChange: (listener) => changes.on(listener),
      ensure: (spec, _path, _owner, signal) =>
        Promise.race([new Promise<Answer>((resolve) => answers.set(spec.id, resolve)), untilStopped(signal)]),
    },
    modelFile: async () => ok(null),
    studyId: 'study',
    signal: new AbortController().signal,
    parallel: null,
    onRelease: () => undefined,
  });
  return { servers, answers, changes };
}

test('launches start before the first is ready, and the study says how many it waits for', async () => {
  const { servers, answers, changes } = openLaunches();
  const specs = ['a', 'b', 'c'].map(launchOf);
  const steps: string[] = [];
  const starting = servers.start([...specs, launchOf('a')], (step) => steps.push(step));
  await new Promise(setImmediate);
  expect([...answers.keys()]).toEqual(['a', 'b', 'c']);
  changes.emit([{ ...view, launchId: 'a', state: { kind: 'starting', stage: 'weights loading' } }]);
  for (const id of ['b', 'c', 'a']) {
    answers.get(id)?.(running);
    await new Promise(setImmediate);
  }
  expect(await starting).toEqual(ok(null));
  expect(steps).toEqual([
    'starting a',
    'starting 2 servers, a',
    'starting 3 servers, a',
    'starting 3 servers, a: weights loading',
    'starting 2 servers, a: weights loading',
    'starting a: weights loading',
  ]);
  // Whichever was ready first: the search takes them in this order.
  expect([...servers.slots.keys()]).toEqual(specs.map(serverKey));
});

test('a launch that cannot be started ends the waiting for the others, and is the reason', async () => {
  const { servers, answers } = openLaunches();
  const starting = servers.start([launchOf('a'), launchOf('b'), ours], () => undefined);
  await new Promise(setImmediate);
  answers.get('b')?.(failed({ code: 'unavailable', message: 'Out of memory.' }));
  expect(await starting).toEqual(failed({ code: 'unavailable', message: 'Out of memory.' }));
});

test('equal servers are started once, with the slots that they have', async () => {
  const { servers, requested } = await openServers();
  expect(requested).toEqual([outside, ours]);
  expect([...servers.slots.values()].map(({ limit }) => limit)).toEqual([3, 2]);
});

test.each([
  ['of ours', ours],
  ['at an external address', outside],
])('one %s that could not be reached is requested again, once for all that wait', async (_name, spec) => {
  const { servers, requested } = await openServers();
  const all = Promise.all([servers.recover(spec), servers.recover(spec), servers.recover(spec)]);
  expect(servers.waiting()).toEqual([spec]);
  await all;
  expect(servers.waiting()).toEqual([]);
  expect(requested).toEqual([outside, ours, spec]);
});

test('a stop ends the waiting for a server that does not come', async () => {
  const { servers, stop } = await openServers(untilStopped);
  const waiting = servers.recover(outside);
  setTimeout(() => stop.abort(), 20);
  await waiting;
});

test('a stop ends the waiting for weights, and until then the study reports their progress', async () => {
  const stop = new AbortController();
  const changes = new Emitter<readonly ServerView[]>();
  const steps: string[] = [];
  const servers = new StudyServers({
    servers: {
      onChange: (listener) => changes.on(listener),
      ensure: (_spec, _path, _owner, signal) => untilStopped(signal),
    },
    parallel: null,
    modelFile: async () => ok(null),
    studyId: 'study',
    signal: stop.signal,
    onRelease: () => undefined,
  });
  const launch: ServerSpec = { kind: 'launch', id: 'l', model: 'qwen', launchId: 'qwen', maxInFlight: 1 };
  const starting = servers.start([launch], (step) => steps.push(step));
  await Promise.resolve();
  await Promise.resolve();
  changes.emit([{ ...view, state: { kind: 'starting', stage: 'weights loading: 1 of 4 files' } }]);
  stop.abort();
  expect(await starting).toEqual(ok(null));
  expect(steps).toEqual(['starting qwen', 'starting qwen: weights loading: 1 of 4 files']);
  expect(changes.listenerCount).toBe(0);
});
