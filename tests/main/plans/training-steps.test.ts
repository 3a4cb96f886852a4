import { expect, test } from 'vitest';
import { createTrainingSteps, type TrainingStepChange } from '../../../main/plans/training-steps';
import {
  type MartiTraining,
  martiTrainingSchema,
  type TrainingRequest,
  trainingRequestSchema,
} from '../../../preload/contract';

function stepOf(preset: MartiTraining['preset']) {
  const spec = martiTrainingSchema.parse({
    kind: 'marti',
    preset,
    checkout: '/marti',
    agents: [{ model: '/models/a' }],
    data: '/data',
    output: `/out/${preset}`,
  });
  return {
    id: preset,
    record: { state: { kind: 'planned' as const }, trainingId: null, shared: false, attempts: 0 },
    request: trainingRequestSchema.parse({ name: preset, machineId: 'gpus', spec }),
  };
}

test('a plan of old does not start what MARTI as released would train as something else', async () => {
  const started: string[] = [];
  const changes: [string, TrainingStepChange][] = [];
  const steps = createTrainingSteps({
    plans: {
      open: () => ({ paused: false, steps: (['grpo', 'single', 'shared', 'multi'] as const).map(stepOf) }),
      origin: () => ({ reproductionId: 'r' }),
      existing: () => null,
      note: async (_, stepId, change) => void changes.push([stepId, change]),
      collect: async () => ({ ok: true, value: null }),
    },
    trainings: {
      list: () => [],
      startMany: async (requests: readonly TrainingRequest[]) => {
        started.push(...requests.map(({ name }) => name));
        return [];
      },
      stop: async () => ({ ok: true, value: null }),
      resume: async () => ({ ok: true, value: null }),
    } as unknown as Parameters<typeof createTrainingSteps>[0]['trainings'],
    slots: 1,
    since: '2026-01-01T00:00:00.000Z',
  });
  await steps.reconcile('r');
  expect(started).toEqual(['single']);
  expect(changes.map(([id, change]) => [id, change.kind])).toEqual([
    ['grpo', 'failed'],
    ['shared', 'failed'],
    ['multi', 'failed'],
  ]);
  for (const [, change] of changes) {
    expect(change.kind === 'failed' && change.refusal.message).toMatch(
      /^It is not started\. MARTI as released/,
    );
  }
});
