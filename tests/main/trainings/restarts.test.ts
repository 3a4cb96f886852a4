import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createSlurmStarter } from '../../../main/jobs';
import type { TrainingOrigin } from '../../../main/trainings/training-api';
import { recipeSchema, type TrainingView, trainingRequestSchema } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { slurmStandIn } from '../../support/slurm-stand-in';
import {
  openTrainingBench,
  type TrainingBench,
  type TrainingBenchOptions,
} from '../../support/training-bench';
import { unwrap } from '../../support/unwrap';

/* Real processes of stand-ins for trainers, killed with -9. */
let bench: TrainingBench;
const open = async (options: TrainingBenchOptions = {}) => {
  bench = await openTrainingBench(options);
};
afterEach(() => bench.dispose());

async function started(change: Record<string, unknown> = {}, origin: TrainingOrigin = {}): Promise<string> {
  const spec = { kind: 'pocket', method: 'heter-mars2', families: ['reader', 'tracer'], updates: 1_000 };
  const env = { STAND_IN_UPDATE_MS: '20', STAND_IN_SAVE_AT: '4' };
  const request = { name: 'Reader and tracer', machineId: 'local', spec, env, ...change };
  const view = await unwrap(bench.trainings.start(trainingRequestSchema.parse(request), origin));
  return view.id;
}

/** Kills the process group of a running training with -9. */
async function kill(id: string): Promise<void> {
  const { state } = await bench.until(id, (view) => view.state.kind === 'running');
  if (state.kind !== 'running' || state.pid === null) throw new Error('It has no process');
  process.kill(-state.pid, 'SIGKILL');
}

/** Looks until its job is in one of these states. */
function seen(id: string, ...kinds: readonly TrainingView['state']['kind'][]): Promise<TrainingView> {
  return eventually(`the training ${id} to be ${kinds.join(' or ')}`, async () => {
    await bench.jobs.inspect((await unwrap(bench.trainings.view(id))).jobId ?? '');
    const view = await unwrap(bench.trainings.view(id));
    return kinds.includes(view.state.kind) ? view : null;
  });
}

const stepAbove = (id: string, step: number) => bench.until(id, (view) => view.step > step);

const FROM_STATE = 'from the state that it saved last';

test('one that is killed goes on from its newest checkpoint by itself, and is left where there is no newer one', async () => {
  await open();
  const id = await started();
  await stepAbove(id, 4);
  await kill(id);
  const waiting = await seen(id, 'queued');
  expect(waiting.state).toEqual({
    kind: 'queued',
    why: `starts again in 5 s (retry 1 of 10), ${FROM_STATE}`,
  });
  expect(waiting.restarts).toEqual([
    {
      at: expect.any(String),
      why: `It was killed together with its wrapper, so no exit code was written. Starts again in 5 s (retry 1 of 10), ${FROM_STATE}.`,
    },
  ]);
  await seen(id, 'running');
  await kill(id);
  const left = await seen(id, 'lost');
  expect(left.notRestarted).toMatch(
    /^It is not restarted by itself: it has saved no checkpoint since its last start/,
  );
  expect(left.restarts).toHaveLength(1);
  const { timeline } = await unwrap(bench.jobs.view(left.jobId ?? ''));
  expect(timeline.map(({ what }) => what)).toEqual([
    ...['starting', 'running', 'lost', 'restart'],
    ...['starting', 'running', 'lost', 'not restarted'],
  ]);
});

test('one that crashes is restarted as often as its option says, and a stop by a person is the end', async () => {
  await open();
  const env = { STAND_IN_UPDATE_MS: '20', STAND_IN_SAVE_AT: '4', STAND_IN_FAIL_AT: '6' };
  const never = await started({ env, restarts: 0 });
  expect((await seen(never, 'exited')).notRestarted).toBe(
    'It may not be restarted by itself: its limit is 0.',
  );
  const stopped = await started({ env: { ...env, STAND_IN_FAIL_AT: '1000' } });
  await stepAbove(stopped, 4);
  await unwrap(bench.trainings.stop(stopped));
  const view = await seen(stopped, 'exited');
  expect(view).toMatchObject({ wasStopped: true });
  expect([view.notRestarted, view.restarts]).toEqual([undefined, undefined]);
  const crashed = await started({ env });
  expect((await seen(crashed, 'queued')).restarts?.[0]?.why).toBe(
    `It ended with exit code 1. Starts again in 5 s (retry 1 of 10), ${FROM_STATE}.`,
  );
  expect((await unwrap(bench.trainings.stop(crashed))).notRestarted).toBeUndefined();
});

test('a step of a plan that was killed before it saved anything begins again, other trainings do not', async () => {
  await open();
  const ends = async (origin: TrainingOrigin) => {
    const id = await started({ env: { STAND_IN_UPDATE_MS: '20' } }, origin);
    await kill(id);
    return (await seen(id, 'queued', 'lost')).state;
  };
  expect(await ends({})).toMatchObject({ kind: 'lost' });
  expect(await ends({ experimentId: 'five' })).toMatchObject({
    kind: 'queued',
    why: expect.stringContaining('as its plan needs it'),
  });
});

test('a workbench that was killed between the decision and the start comes to the same decision', async () => {
  await open();
  const id = await started();
  await stepAbove(id, 4);
  const { jobId } = await unwrap(bench.trainings.view(id));
  const path = join(bench.folder, 'jobs', `${jobId}.json`);
  // As after a kill -9 of the workbench: what it had noted of the training is on disk, of its job nothing since then.
  const before = await readFile(path, 'utf8');
  await kill(id);
  await seen(id, 'queued');
  bench = await bench.restarted(() => writeFile(path, before));
  expect(await seen(id, 'queued', 'lost')).toMatchObject({
    state: { kind: 'queued' },
    restarts: [{ why: expect.stringMatching(/from its newest checkpoint\.$/) }],
  });
});

test('on Slurm a time limit and a requeue count as the same, and a cancelled job is left alone', async () => {
  const slurm = await slurmStandIn();
  let laterMs = 0;
  await open({
    machine: () => slurm.machine,
    starter: createSlurmStarter({ clock: { now: () => Date.now() + laterMs }, queueCacheMs: 0 }),
  });
  const ends = async (how: string): Promise<TrainingView> => {
    const id = await started({ machineId: 'cluster' });
    const { jobId } = await unwrap(bench.trainings.view(id));
    const { slurmId } = await unwrap(bench.jobs.view(jobId ?? ''));
    const state = join(await unwrap(slurm.machine.home()), 'trainings', id, 'state.json');
    await eventually('a saved state', async () => (await unwrap(slurm.machine.readText(state))) !== null);
    await seen(id, 'running');
    await slurm.say(slurmId ?? '', how);
    process.kill(-(await slurm.pidOf(slurmId ?? '')), how === 'PENDING' ? 'SIGKILL' : 'SIGTERM');
    // A node's files may be seen late, so that it waits before it says lost.
    if ((await seen(id, 'queued', 'exited', 'unknown')).state.kind === 'unknown') laterMs += 61_000;
    return seen(id, 'queued', 'exited');
  };
  const why = (view: TrainingView) => view.restarts?.map((one) => one.why.split(' Starts again')[0]);
  expect(why(await ends('TIMEOUT'))).toEqual(['It exceeded its time limit of 1 h, and Slurm ended it.']);
  expect(why(await ends('PENDING'))?.[0]).toMatch(/^Slurm took it from its node and requeued it/);
  expect((await ends('CANCELLED')).state.kind).toBe('exited');
});

test('of another trainer by what its recipe says of resuming', async () => {
  await open();
  const recipe = recipeSchema.parse({
    id: 'ours',
    name: 'Ours',
    homepage: 'https://trainer.example/docs',
    about: '',
    fields: [{ name: 'out', label: 'Output', kind: 'path' }],
    command: [
      'sh',
      '-c',
      'mkdir -p "$1/step-3"; [ -e "$1/again" ] && exit 0; touch "$1/again"; exit 7',
      'trainer',
      '{out}',
    ],
    log: null,
    tensorboard: null,
    checkpoints: '{out}',
  });
  const put = (text: object) => writeFile(join(bench.folder, 'recipes', 'ours.json'), JSON.stringify(text));
  await mkdir(join(bench.folder, 'recipes'));
  const spec = (out: string) => ({
    kind: 'recipe',
    recipeId: 'ours',
    values: { out: join(bench.folder, out) },
  });
  await put({ ...recipe, resumes: false });
  const left = await seen(await started({ spec: spec('a'), env: {} }), 'queued', 'exited');
  expect(left.notRestarted).toContain('its recipe does not say');
  await put({ ...recipe, resumes: true });
  const again = await seen(await started({ spec: spec('b'), env: {} }), 'queued', 'exited');
  expect(again.restarts?.[0]?.why).toContain('from the checkpoint of step policy 3.');
  // The output folder already holds that checkpoint.
  await mkdir(join(bench.folder, 'c', 'step-3'), { recursive: true });
  const old = await seen(await started({ spec: spec('c'), env: {} }), 'queued', 'exited');
  expect(old.notRestarted).toContain('saved no checkpoint');
});
