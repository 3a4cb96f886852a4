import { describe, expect, test } from 'vitest';
import { withoutFolders } from '../../../../main/plans/logic/gpu-day/results';
import { teamLaunch, teamStudy } from '../../../../main/plans/logic/gpu-day/team-search';
import {
  measuredValues,
  stepProblem,
  trainingSteps,
} from '../../../../main/plans/logic/gpu-day/training-steps';
import { prepareModel } from '../../../../main/trainings/logic/prepare-model';
import { gpuDayRequestSchema, type TrainingCurve } from '../../../../preload/contract';

const request = gpuDayRequestSchema.parse({
  machineId: 'gpu-a',
  model: '/models/Qwen3-0.6B',
  benchmarkId: 'lcb',
});
const context = {
  request,
  python: '/l/bin/python',
  vllm: '/v/bin/python',
  problemIds: ['a', 'b'],
  name: 'Day',
};
const curve = (key: string, values: number[], part: TrainingCurve['part'] = 'train'): TrainingCurve => ({
  ...{
    agentId: 'model',
    key,
    part,
    values,
    steps: values.map((_, i) => i + 1),
    samples: null,
    seconds: null,
  },
});

describe('the steps of a GPU day', () => {
  test('train with each way of publishing, with more GPUs also by two processes, and by SGLang where it is named', () => {
    const ids = (gpus: number, change = {}) =>
      trainingSteps({ ...context, request: { ...request, ...change }, gpus }).map(({ id }) => id);
    expect(ids(1)).toEqual(['learner', 'restart', 'reload', 'adapter']);
    expect(ids(2)).toEqual(['learner', 'restart', 'reload', 'adapter', 'ranks']);
    expect(ids(1, { sglang: '/s/bin/python' }).slice(4)).toEqual(['sglang-restart', 'sglang-reload']);
  });

  test.each([0, 1, 8])('start without a problem on %i GPUs, 20 updates at 1e-6 in the longest', (gpus) => {
    for (const { id, request } of trainingSteps({ ...context, gpus })) {
      if (request.spec.kind !== 'model') throw new Error('No training of ours');
      const prepared = prepareModel(request, request.spec, { id: 'x', script: '', files: [] } as never, []);
      expect(prepared.problems).toEqual([]);
      expect(prepared.gpus).toBe(gpus === 0 ? 0 : id === 'ranks' ? 2 : 1);
      expect(request.spec.treesPerRound * request.spec.nodes).toBe(request.spec.batch);
      if (id === 'reload') expect(request.spec).toMatchObject({ updates: 20, rate: 1e-6, lora: null });
    }
  });

  test('count only where something was learned, and published with proof', () => {
    const [learner, restart] = trainingSteps({ ...context, gpus: 1 });
    if (learner === undefined || restart === undefined) throw new Error('No steps');
    const good = { updates: 3, 'gradient-norm': 0.2, 'publish-proven': 0.5 };
    expect(stepProblem(learner.request, good)).toBeNull();
    expect(stepProblem(restart.request, good)).toBeNull();
    expect(stepProblem(restart.request, { ...good, updates: 1 })).toBe('It made 1 of 2 updates.');
    expect(stepProblem(restart.request, { ...good, 'publish-proven': 0 })).toMatch(
      /No publication could be proven/,
    );
    expect(stepProblem(restart.request, { ...good, 'publish-slope': 0.85 })).toMatch(/0\.85 arrived/);
    expect(stepProblem(restart.request, { ...good, 'publish-slope': 1.04 })).toBeNull();
    expect(stepProblem(learner.request, { ...good, 'gradient-norm': 0 })).toMatch(/nothing was learned/);
  });

  test('measure means over the updates, of the training alone', () => {
    const values = measuredValues([
      curve('gradient-norm', [1, 3]),
      curve('logp-gap', [0.01, 0.03]),
      curve('reward', [1, 1]),
      curve('tokens', [9], 'evaluation'),
      curve('tokens', []),
    ]);
    expect(values).toEqual({ updates: 2, 'gradient-norm': 2, 'logp-gap': 0.02 });
  });

  test('serve model and adapter by one vLLM, whose folder cannot end the command', () => {
    const launch = teamLaunch(request, { vllm: '/v/bin/python', gpus: 1, adapter: "/a b/'; rm -rf x" });
    expect(launch.commandLine).toMatch(/^\/v\/bin\/python -m vllm\./);
    expect(launch.commandLine).toContain(`'trained=/a b/'\\''; rm -rf x'`);
    expect(launch.gpus).toBe(1);
    const { configurations, problems } = teamStudy(request, 'Day', 'http://127.0.0.1:1/v1');
    expect(problems).toBe(20);
    expect(configurations.map(({ team }) => team.kind)).toEqual(['single', 'homogeneous', 'heterogeneous']);
  });

  test('name no folder', () => {
    expect(withoutFolders("FileNotFoundError: '/home/user1/models/x y/a.json' in ~/b/c.py, line 3")).toBe(
      "FileNotFoundError: '…/a.json' in …/c.py, line 3",
    );
    expect(withoutFolders(`${'/'.repeat(100_000)}x`).length).toBeLessThanOrEqual(4_000);
  });
});
