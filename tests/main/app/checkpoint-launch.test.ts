import { describe, expect, test } from 'vitest';
import { launchOf } from '../../../main/app/checkpoint-launch';
import type { ModelTraining, TrainingCheckpoint } from '../../../preload/contract';
import { sampleModelTraining } from '../../support/sample-trainings';

const checkpoint = (agentId: string): TrainingCheckpoint => ({
  id: `${agentId}-000040`,
  agentId,
  step: 40,
  path: `/data/checkpoints/${agentId}-000040`,
  at: null,
  bytes: null,
  canServe: true,
});

function launchAfter(change: Partial<ModelTraining>) {
  const training = sampleModelTraining();
  const { spec } = training;
  if (spec.kind !== 'model') throw new Error('The sample is no model training');
  const changed = { ...training, name: 'Two', spec: { ...spec, ...change } };
  return launchOf({ training: changed, checkpoint: checkpoint('small') });
}

describe('a checkpoint of a language model that was trained here is served', () => {
  test('by our own server, with what its training computed with', () => {
    const launch = launchAfter({ device: 'cpu', dtype: 'bfloat16', threads: 3 });
    expect(launch).toMatchObject({
      engine: 'pytorch',
      name: 'Two small-000040',
      model: 'two-small-000040',
      weights: '/data/checkpoints/small-000040',
      machineId: sampleModelTraining().machineId,
      gpus: 0,
      extraArguments: '--dtype bfloat16 --threads 3',
    });
  });

  test('on a GPU where it was trained on GPUs', () => {
    expect(launchAfter({ device: 'cuda', threads: null })).toMatchObject({
      gpus: 1,
      extraArguments: '--dtype float32',
    });
  });

  test.each([
    ['/opt/envs/learner/bin/python3', { kind: 'conda', place: '/opt/envs/learner' }],
    ['/home/lab/learner/bin/python3.12', { kind: 'venv', place: '/home/lab/learner' }],
    ['/usr/bin/python3', { kind: 'path' }],
    ['/usr/local/bin/python3', { kind: 'path' }],
    ['python3', { kind: 'path' }],
  ])('in the environment of %s', (python, environment) => {
    expect(launchAfter({ python }).environment).toEqual(environment);
  });
});
