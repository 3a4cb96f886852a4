import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CheckpointServing, createCheckpointServing } from '../../../main/app/checkpoint-serving';
import { failed, ok } from '../../../main/base';
import type { RunningServer, ServerService } from '../../../main/servers';
import { openRegistry, type Registry } from '../../../main/storage';
import { type ServerSpec, serverLaunchSchema, trainingRequestSchema } from '../../../preload/contract';
import {
  martiRequest,
  openTrainingBench,
  standInMarti,
  type TrainingBench,
} from '../../support/training-bench';

/** Checkpoints of real jobs around stand-ins for the trainers. */
let bench: TrainingBench;
let registry: Registry;
let serving: CheckpointServing;
let ensured: { readonly spec: ServerSpec; readonly path: string | null }[];

beforeEach(async () => {
  bench = await openTrainingBench();
  const opened = await openRegistry(join(bench.folder, 'registry.json'));
  if (!opened.ok) throw new Error(opened.error.message);
  registry = opened.value;
  ensured = [];
  const ensure: ServerService['ensure'] = async (spec, path) => {
    ensured.push({ spec, path });
    return ok({ id: 'server-1' } as RunningServer);
  };
  const plan: ServerService['plan'] = async () => failed({ code: 'unreachable', message: 'No answer' });
  serving = createCheckpointServing({ trainings: bench.trainings, servers: { ensure, plan }, registry });
});
afterEach(() => bench.dispose());

async function done(request: Parameters<TrainingBench['trainings']['start']>[0]): Promise<string> {
  const view = await bench.trainings.start(request);
  if (!view.ok) throw new Error(view.error.message);
  await bench.ended(view.value.id);
  return view.value.id;
}

function pocket(families = ['reader', 'tracer']) {
  const spec = { kind: 'pocket', method: 'grpo', families, updates: 2, seed: 7 };
  return done(trainingRequestSchema.parse({ name: 'Pocket', machineId: 'local', spec }));
}

async function marti(change = {}) {
  return done(martiRequest(await standInMarti(bench.folder), change));
}

describe('a pocket checkpoint', () => {
  test('is served at once, by its file, as the policy of its family', async () => {
    const id = await pocket(['reader', 'tracer', 'tracer']);
    const served = await serving.serve(id, 'tracer-2-000002');
    expect(served).toEqual({ ok: true, value: { kind: 'server', serverId: 'server-1' } });
    expect(ensured).toMatchObject([
      {
        spec: {
          kind: 'pocket',
          family: 'tracer',
          trained: { trainingId: id, checkpointId: 'tracer-2-000002' },
        },
        path: join(bench.trainings.folderOf(id), 'checkpoints', 'tracer-2-000002.json'),
      },
    ]);
  });

  test('that there is not, or whose file is gone, is refused, also as a member of a team', async () => {
    const trainingId = await pocket();
    const refused = await serving.serve(trainingId, 'reader-000099');
    expect(refused.ok ? null : refused.error.code).toBe('not-found');
    const member = () => serving.member({ trainingId, checkpointId: 'reader-000002' });
    const trained = { trainingId, checkpointId: 'reader-000002' };
    expect(await member()).toMatchObject({ ok: true, value: { server: { family: 'reader', trained } } });
    await rm(join(bench.trainings.folderOf(trainingId), 'checkpoints', 'reader-000002.json'));
    expect(await member()).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });
});

describe('a checkpoint of MARTI', () => {
  test('becomes a launch on its machine, which is there once', async () => {
    const id = await marti({ spec: { python: 'python3' }, flags: { max_len: 50_000 } });
    const checkpoints = await bench.trainings.checkpoints(id);
    const last = checkpoints.ok ? checkpoints.value.findLast(({ canServe }) => canServe) : undefined;
    for (let times = 0; times < 2; times++) {
      const served = await serving.serve(id, last?.id ?? '');
      expect(served).toMatchObject({ ok: true, value: { kind: 'launch', plan: null } });
    }
    const { launches } = registry.read();
    expect(launches).toHaveLength(1);
    expect(serverLaunchSchema.parse(launches[0])).toMatchObject({
      engine: 'vllm',
      machineId: 'local',
      weights: last?.path,
      contextTokens: 50_000,
      environment: { kind: 'path' },
    });
  });

  test('that is a state to resume from cannot be served', async () => {
    const id = await marti({ flags: { save_hf_ckpt: false } });
    const checkpoints = await bench.trainings.checkpoints(id);
    const state = checkpoints.ok ? checkpoints.value[0] : undefined;
    expect(state?.canServe).toBe(false);
    const refused = await serving.serve(id, state?.id ?? '');
    expect(refused.ok ? '' : refused.error.message).toMatch(/cannot be served/);
  });
});

describe('the configurations of an evaluation', () => {
  test('are each checkpoint alone, then the team, by names that differ', async () => {
    const [first, second] = [await pocket(), await pocket()];
    const made = await serving.configurations(
      [
        { trainingId: first, checkpointId: 'reader-000002' },
        { trainingId: second, checkpointId: 'reader-000002' },
      ],
      true,
    );
    if (!made.ok) throw new Error(made.error.message);
    expect(
      made.value.map(({ configuration, team }) => [configuration, team.kind, team.agents.length]),
    ).toEqual([
      ['Pocket reader-000002', 'single', 1],
      ['Pocket reader-000002 2', 'single', 1],
      ['Team', 'heterogeneous', 2],
    ]);
  });

  test('are one over the seeds of trainings that differ in nothing else', async () => {
    const standIn = await standInMarti(bench.folder);
    const references: { readonly trainingId: string; readonly checkpointId: string }[] = [];
    for (const seed of [11, 12]) {
      const output = join(bench.folder, `seed-${seed}`);
      const env = { STAND_IN_ARGUMENTS: join(output, 'arguments.json') };
      const trainingId = await done(martiRequest(standIn, { spec: { output }, flags: { seed }, env }));
      const checkpoints = await bench.trainings.checkpoints(trainingId);
      const last = checkpoints.ok ? checkpoints.value.findLast(({ canServe }) => canServe) : undefined;
      references.push({ trainingId, checkpointId: last?.id ?? '' });
    }
    const made = await serving.configurations(references, false);
    const rows = made.ok ? made.value : [];
    expect(rows.map(({ seeds }) => seeds)).toEqual([[11], [12]]);
    expect(new Set(rows.map(({ configuration }) => configuration)).size).toBe(1);
    expect(new Set(rows.map(({ team }) => JSON.stringify(team.servers))).size).toBe(2);
  });

  test('of large models are launches, so that the study is of paper scale', async () => {
    const id = await marti();
    const checkpoints = await bench.trainings.checkpoints(id);
    const served = checkpoints.ok ? checkpoints.value.filter(({ canServe }) => canServe).slice(0, 2) : [];
    const references = served.map((one) => ({ trainingId: id, checkpointId: one.id }));
    const made = await serving.configurations(references, false);
    const servers = made.ok ? made.value.flatMap(({ team }) => team.servers) : [];
    expect(servers.map(({ kind }) => kind)).toEqual(['launch', 'launch']);
    const launchIds = registry.read().launches.map((launch) => launch.id);
    expect(new Set(launchIds).size).toBe(2);
    const member = await serving.member({ trainingId: id, checkpointId: served[0]?.id ?? '' });
    expect(member).toMatchObject({ ok: true, value: { server: { kind: 'launch', launchId: launchIds[0] } } });
  });
});
