import { describe, expect, it } from 'vitest';
import {
  type ExperimentRequest,
  experimentRequestSchema,
  type TrainingRequest,
  trainingRequestSchema,
} from '../../../preload/contract';
import { experimentScale, readSweep } from '../../../preload/contract/plans';

const modelRequest = trainingRequestSchema.parse({
  name: 'Small ones',
  machineId: 'cluster',
  spec: {
    kind: 'model',
    method: 'heter-mars2',
    agents: [
      { id: 'a', model: '/models/a' },
      { id: 'b', model: '/models/b' },
    ],
    problems: { benchmarkId: 'mbpp' },
  },
  resources: { gpus: 2 },
});
const pocketRequest = trainingRequestSchema.parse({
  name: 'Pocket',
  machineId: 'local',
  spec: { kind: 'pocket', method: 'rs2', families: ['reader'] },
});

function experimentOf(
  request: TrainingRequest,
  fields: Parameters<typeof readSweep>[2],
  seeds: readonly number[] | null,
): ExperimentRequest {
  const read = readSweep(request, null, fields, seeds);
  if (!read.ok) throw new Error(read.problem.message);
  if (read.value.kind !== 'experiment') throw new Error('Not an experiment');
  return read.value.experiment;
}

describe('a training with several values', () => {
  it('is an experiment that main takes: a row for each combination, where it runs as it was asked', () => {
    const fields = [
      { id: 'lora.rank', values: ['8', '16'] },
      { id: 'method', values: ['grpo', 'heter-mars2'] },
    ];
    const experiment = experimentOf(modelRequest, fields, [1, 2]);
    expect(experimentRequestSchema.parse(experiment)).toEqual(experiment);
    expect(experiment).toMatchObject({
      seeds: [1, 2],
      models: { machineId: 'cluster', resources: { gpus: 2 } },
    });
    expect(experiment.rows).toEqual([
      {
        label: 'Vanilla GRPO, Low-rank adapter: Rank 8',
        method: 'grpo',
        families: ['a', 'b'],
        change: { lora: { rank: 8, alpha: 32 } },
      },
      {
        label: 'Heter-MARS², Low-rank adapter: Rank 8',
        method: 'heter-mars2',
        families: ['a', 'b'],
        change: { lora: { rank: 8, alpha: 32 } },
      },
      { label: 'Vanilla GRPO, Low-rank adapter: Rank 16', method: 'grpo', families: ['a', 'b'], change: {} },
      {
        label: 'Heter-MARS², Low-rank adapter: Rank 16',
        method: 'heter-mars2',
        families: ['a', 'b'],
        change: {},
      },
    ]);
    expect(experimentScale(experiment)).toBe('own');
  });

  it('with seeds alone is one row', () => {
    expect(experimentOf(pocketRequest, [], [1, 2, 3]).rows).toEqual([
      { label: 'RS²', method: 'rs2', families: ['reader'], change: {} },
    ]);
  });

  it('with values alone has the seed of the training', () => {
    const fields = [{ id: 'rate', values: ['0.1', '0.2'] }];
    expect(experimentOf(pocketRequest, fields, null).seeds).toEqual([1]);
  });

  it.each([
    [{ ...pocketRequest, machineId: 'gpu1' }, [], 'on this computer'],
    [modelRequest, [{ id: 'problems', values: ['5', '6'] }], 'cannot take several values'],
    [modelRequest, [{ id: 'rate', values: [] }], 'needs values'],
    [modelRequest, [{ id: 'method', values: ['sft'] }], 'There is no training method "sft"'],
    [
      modelRequest,
      [{ id: 'nodes', values: Array.from({ length: 41 }, (_, at) => String(at + 2)) }],
      'More than 40',
    ],
  ] as const)('is refused with the reason (%#)', (request, fields, message) => {
    const read = readSweep(request, null, fields, [1]);
    expect(read.ok ? '' : read.problem.message).toContain(message);
  });
});
