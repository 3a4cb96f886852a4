import { describe, expect, test } from 'vitest';
import type { TrainingRecord } from '../../../../main/trainings/logic/training-record';
import { viewOfTraining } from '../../../../main/trainings/logic/training-view';
import { type TrainingView, trainingRequestSchema } from '../../../../preload/contract';
import { trainingRanMs } from '../../../../renderer/text/trainings';
import { sampleJob } from '../../../support/sample-jobs';

const NOTHING = { seen: null, steps: null, secondsLeft: null };

function recordOf(
  evaluation: Record<string, unknown>,
  latest: TrainingView['latest'],
  name = 'Mine',
): TrainingRecord {
  const spec = {
    kind: 'pocket',
    method: 'heter-mars2',
    families: ['reader', 'tracer'],
    seed: 11,
    evaluation,
  };
  return {
    version: 1,
    id: 't',
    order: trainingRequestSchema.parse({ name, machineId: 'local', spec }),
    recipe: null,
    jobId: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    experimentId: null,
    seen: { step: 300, stage: null, latest, alarms: [], endedAt: null },
  };
}

describe('the scale of a training', () => {
  const scaleOf = (spec: Record<string, unknown>, recipe: TrainingRecord['recipe'] = null) => {
    const request = trainingRequestSchema.parse({ name: 'a', machineId: 'local', spec });
    return viewOfTraining({ ...recordOf({}, []), order: request, recipe }, null, NOTHING).scale;
  };
  const models = (...names: string[]) => ({
    ...{ kind: 'model', method: 'rs2', problems: { benchmarkId: 'own' } },
    agents: names.map((model, i) => ({ id: `a${i}`, model })),
  });

  test("is the papers' only where all its models are, by their names", () => {
    expect(scaleOf(models('/models/Qwen3-8B', 'inclusionAI/AReaL-boba-2-8B'))).toBe('paper');
    expect(scaleOf(models('/models/Qwen3-8B', '/models/mine'))).toBe('own');
    // Trained, a small model is no longer the one of its name.
    expect(scaleOf(models('/models/SmolLM2-135M-Instruct'))).toBe('own');
    const recipe = {
      fields: [{ name: 'model', default: 'Qwen/Qwen3-8B' }],
    } as unknown as TrainingRecord['recipe'];
    const trl = (values: Record<string, string>) => ({ kind: 'recipe', recipeId: 'trl-grpo', values });
    expect(scaleOf(trl({}), recipe)).toBe('paper');
    expect(scaleOf(trl({ model: '/tmp/tiny' }), recipe)).toBe('own');
  });
});

describe('the Pass@1 of a training', () => {
  const train = { agentId: 'reader', key: 'pass@1', part: 'train', value: 0.71 } as const;
  const heldOut = { agentId: 'reader', key: 'pass@1', part: 'evaluation', value: 0.4 } as const;

  test('is of the problems that it learns from and, separately, of those that it never saw', () => {
    const { latest } = viewOfTraining(recordOf({ problems: 100 }, [train, heldOut]), null, NOTHING);
    expect(latest).toEqual([train, heldOut]);
  });

  test.each([
    ['of a single program, as exhibits asked for once', { problems: 1, nodes: 1, samples: 1 }],
    ['that was not asked for', { problems: 0 }],
  ])('does not come from an evaluation %s', (_, evaluation) => {
    const { latest } = viewOfTraining(recordOf(evaluation, [train, { ...heldOut, value: 0 }]), null, NOTHING);
    expect(latest).toEqual([train]);
  });

  test('in a record of old is that of the evaluation, where there was one', () => {
    const old = { agentId: 'reader', key: 'pass@1', value: 0.4 };
    const reward = { agentId: 'reader', key: 'reward', value: 0.2 };
    expect(viewOfTraining(recordOf({ problems: 100 }, [reward, old]), null, NOTHING).latest).toEqual([
      reward,
      { ...old, part: 'evaluation' },
    ]);
    const dummy = recordOf({ problems: 1, nodes: 1, samples: 1 }, [reward, old]);
    expect(viewOfTraining(dummy, null, NOTHING).latest).toEqual([reward]);
  });
});

test('a name of old, of the paper’s models alone, has the policies first', () => {
  const nameOf = (name: string): string => viewOfTraining(recordOf({}, [], name), null, NOTHING).name;
  const today = 'Train Heter-MARS², reader + tracer, in the place of Qwen3-32B + Nemotron-32B, seed 11';
  expect(nameOf('Train Heter-MARS², Qwen3-32B + Nemotron-32B, seed 11')).toBe(today);
  expect(nameOf(today)).toBe(today);
  for (const own of ['Qwen for me', 'Train GRPO, a, seed 11', 'Train Heter-MARS², a, seed 12']) {
    expect(nameOf(own)).toBe(own);
  }
});

test('the problems that a training keeps are of its summary, also when it has ended', () => {
  const problemsKept = { from: 0.1, to: 0.8, measured: 9, kept: 4, neverSolved: 5, below: 0, above: 0 };
  const record = recordOf({}, []);
  expect(viewOfTraining(record, null, NOTHING)).not.toHaveProperty('problemsKept');
  const seen = { step: 0, stage: null, latest: [], alarms: [], endedAt: null, problemsKept };
  expect(viewOfTraining({ ...record, seen }, null, NOTHING).problemsKept).toEqual(problemsKept);
});

test('idle GPUs of its job are an alarm of a training, beside those of its values', () => {
  const job = sampleJob({ idleGpus: [0, 2] });
  const { alarms } = viewOfTraining(recordOf({ problems: 1 }, []), job, NOTHING);
  expect(alarms).toMatchObject([{ kind: 'idle-gpus', agentId: null, step: null }]);
  expect(alarms[0]?.message).toContain('GPUs 0 and 2 were idle for 10 minutes');
});

describe('a training that was stopped and resumed', () => {
  const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
  const moment = (seconds: number, what: string) => ({ at: at(seconds), what, why: '' });
  const timeline = [
    moment(0, 'queued'),
    ...[moment(2, 'starting'), moment(4, 'running'), moment(58, 'stopping'), moment(60, 'exited')],
    ...[moment(90, 'starting'), moment(91, 'exited')],
    ...[moment(99, 'starting'), moment(100, 'running')],
  ];
  const job = sampleJob({ attempts: 3, startedAt: at(100), timeline });
  const record = recordOf({}, []);

  test('has the time of all its starts', () => {
    expect(trainingRanMs({ ...viewOfTraining(record, job, NOTHING), startedAt: null }, 0)).toBe(57_000);
    const ended = { ...job, state: { kind: 'exited', code: 0, endedAt: at(137) }, endedAt: at(137) } as const;
    expect(trainingRanMs(viewOfTraining(record, ended, NOTHING), 0)).toBe(94_000);
  });

  test('has no time before where the first start is its only one, or the timeline lost some', () => {
    const first = { ...job, attempts: 1, timeline: timeline.slice(0, 3) };
    expect(viewOfTraining(record, first, NOTHING)).not.toHaveProperty('earlierStarts');
    expect(viewOfTraining(record, { ...job, attempts: 9 }, NOTHING)).not.toHaveProperty('earlierStarts');
  });

  test('does not run in the stage of its stop', () => {
    const stageOf = (stage: string) =>
      viewOfTraining(record, job, {
        ...NOTHING,
        seen: { step: 3, stage, latest: [], alarms: [], endedAt: null },
      }).stage;
    expect(stageOf('stopped')).toBeNull();
    expect(stageOf('rollout')).toBe('rollout');
  });
});
