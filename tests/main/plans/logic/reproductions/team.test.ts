import { describe, expect, test } from 'vitest';
import { searchTeam, serverLaunch, serverSpec } from '../../../../../main/plans/logic/reproductions/team';
import type { PlannedServer } from '../../../../../main/plans/logic/reproductions/work';
import { serverLaunchSchema, teamSchema } from '../../../../../preload/contract';
import { builtInExhibit, gpuMachine, planOf } from '../../../../support/plan-inputs';

const POCKET: PlannedServer = {
  id: 'a-heter-mars2-b-11',
  modelId: 'a',
  method: 'heter-mars2',
  trainedWith: ['a', 'b'],
  seed: 11,
  weights: { kind: 'training', stepId: 'train:heter-mars2:a+b:11', agentId: 'reader' },
  place: { kind: 'pocket', family: 'reader', machineId: 'local' },
};
const CHECKPOINT = { trainingId: 't-1', id: 'reader-000300', path: '/data/reader-000300.json' };

describe('a planned server', () => {
  test('is the trained policy once its checkpoint is known', () => {
    expect(serverSpec(POCKET, CHECKPOINT)).toEqual({
      kind: 'pocket',
      id: 'a',
      model: 'pocket-a-heter-mars2-b-11',
      family: 'reader',
      checkpointSeed: 11,
      trained: { trainingId: 't-1', checkpointId: 'reader-000300' },
      latencyMs: 0,
      maxInFlight: 16,
    });
    expect(serverLaunch(POCKET, CHECKPOINT)).toBeNull();
  });

  test('on another machine says so', () => {
    const elsewhere = { ...POCKET, place: { ...POCKET.place, machineId: 'gpu-a' } as const };
    expect(serverSpec({ ...elsewhere, weights: { kind: 'base' } }, null)).toMatchObject({
      machineId: 'gpu-a',
    });
  });

  test('of vLLM is a launch that is whole as soon as the weights are there', () => {
    const { work } = planOf(builtInExhibit('homogeneous'), 'paper', {
      inputs: { machines: [gpuMachine('gpu-a', 8, 81_559)] },
    });
    const servers = [...work.values()].flatMap((one) => (one.kind === 'serve' ? [one.server] : []));
    const launches = servers.map((server) =>
      serverLaunch(server, server.weights.kind === 'path' ? null : { path: '/out/global_step100_hf' }),
    );
    for (const launch of launches) expect(serverLaunchSchema.parse(launch)).toEqual(launch);
    expect(new Set(launches.map((launch) => launch?.id)).size).toBe(55);
    for (const [at, server] of servers.entries()) {
      expect(serverSpec(server, null)).toMatchObject({ kind: 'launch', launchId: launches[at]?.id });
    }
  });
});

describe('a team', () => {
  const spec = serverSpec(POCKET, CHECKPOINT);
  const specs = new Map([
    ['one', spec],
    ['two', { ...spec, id: 'b', model: 'pocket-b' }],
  ]);

  test('of one server in two roles is homogeneous, of two servers heterogeneous', () => {
    const roles = teamSchema.parse(searchTeam({ members: ['one', 'one'], maxTokens: 100 }, specs));
    expect(roles.kind).toBe('homogeneous');
    expect(roles.servers).toHaveLength(1);
    expect(roles.agents.map(({ id }) => id)).toEqual(['a-solver', 'a-refiner']);
    const both = teamSchema.parse(searchTeam({ members: ['one', 'two'], maxTokens: 100 }, specs));
    expect(both.kind).toBe('heterogeneous');
    expect(both.agents.map(({ id, sampling }) => [id, sampling.maxTokens])).toEqual([
      ['a', 100],
      ['b', 100],
    ]);
    expect(searchTeam({ members: ['two'], maxTokens: 100 }, specs).kind).toBe('single');
  });

  test('calls its agents the same under every method and seed', () => {
    const other = serverSpec({ ...POCKET, id: 'a-grpo-12', method: 'grpo', seed: 12 }, CHECKPOINT);
    const [first, second] = [spec, other].map((one) =>
      searchTeam({ members: ['one'], maxTokens: 100 }, new Map([['one', one]])),
    );
    expect(first?.agents).toEqual(second?.agents);
    expect(first?.servers).not.toEqual(second?.servers);
  });
});
