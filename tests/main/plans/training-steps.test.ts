import { expect, test } from 'vitest';
import type { Plan } from '../../../main/plans/logic/plan-record';
import { createTrainingSteps } from '../../../main/plans/training-steps';
import { martiTrainingSchema, type TrainingRequest, trainingRequestSchema } from '../../../preload/contract';

const PRESETS = ['grpo', 'single', 'shared', 'multi'] as const;

function requestOf(preset: (typeof PRESETS)[number]): TrainingRequest {
  const spec = martiTrainingSchema.parse({
    kind: 'marti',
    preset,
    checkout: '/marti',
    agents: [{ model: '/models/a' }],
    data: '/data',
    output: `/out/${preset}`,
  });
  return trainingRequestSchema.parse({ name: preset, machineId: 'gpus', spec });
}

const PLAN: Plan = {
  record: {
    version: 1,
    id: 'r',
    createdAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
    paused: false,
    removing: false,
    notes: {},
  },
  plan: { steps: PRESETS.map((id) => ({ id, kind: 'train', title: id, needs: [] })) },
  work: new Map(PRESETS.map((preset) => [preset, { kind: 'train', order: requestOf(preset) }])),
};

test('a plan of old does not start what MARTI as released would train as something else', async () => {
  const started: string[] = [];
  const failures: [string, string][] = [];
  const steps = createTrainingSteps({
    kind: {
      origin: () => ({ reproductionId: 'r' }),
      existing: () => null,
      collect: async () => ({ ok: true, value: null }),
      amountOf: () => ({ seconds: 0, gpuSeconds: 0, tokens: 0 }),
      failure: (_, { message }) => ({ message, hint: null }),
    },
    store: {
      get: () => PLAN,
      note: async () => undefined,
      fail: async (_, [stepId = ''], { message }) => void failures.push([stepId, message]),
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
    clock: { now: () => Date.parse('2026-01-01T00:00:00.000Z') },
  });
  await steps.reconcile('r');
  expect(started).toEqual(['single']);
  expect(failures.map(([stepId]) => stepId)).toEqual(['grpo', 'shared', 'multi']);
  for (const [, message] of failures) expect(message).toMatch(/^It is not started\. MARTI as released/);
});
