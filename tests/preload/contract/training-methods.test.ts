import { describe, expect, it } from 'vitest';
import {
  modelTrainingSchema,
  objectiveSchema,
  pocketTrainingSchema,
  trainingMethodSchema,
} from '../../../preload/contract';
import {
  heldOutPart,
  MODEL_AGENT_LIMITS,
  PLAIN_MODEL_TRAINING,
  PLAIN_OBJECTIVE,
  PLAIN_POCKET_TRAINING,
  TRAINING_METHODS,
  trainingPrograms,
} from '../../../preload/contract/plans';

describe('training methods', () => {
  it('has every method of the contract once', () => {
    expect(TRAINING_METHODS.map(({ id }) => id)).toEqual(trainingMethodSchema.options);
  });

  it('has the defaults that main fills in', () => {
    expect(objectiveSchema.parse({ shaping: {}, clip: {}, kl: {} })).toEqual(PLAIN_OBJECTIVE);
    const bare = { kind: 'pocket', method: 'rs2', families: ['reader'] };
    expect(pocketTrainingSchema.parse(bare)).toEqual({ ...bare, ...PLAIN_POCKET_TRAINING });
    const agents = [{ id: 'a', model: '/m', maxTokens: 1_024, extraction: 'last-fence' }];
    const problems = { benchmarkId: 'mbpp', problemIds: null };
    const model = { kind: 'model', method: 'rs2', agents, problems };
    expect(modelTrainingSchema.parse(model)).toEqual({ ...model, ...PLAIN_MODEL_TRAINING });
  });

  it('has the limits of the contract for the agents of a model training', () => {
    const { agents, id, model, maxTokens } = MODEL_AGENT_LIMITS;
    const isTaken = (agent: object, times = 1): boolean =>
      modelTrainingSchema.shape.agents.safeParse(
        Array.from({ length: times }, () => ({ id: 'a', model: '/m', ...agent })),
      ).success;
    expect([0, 1, 4, 5].map((times) => isTaken({}, times))).toEqual([false, true, true, false]);
    expect(agents).toEqual([1, 4]);
    expect(maxTokens.map((tokens) => isTaken({ maxTokens: tokens }))).toEqual([true, true]);
    expect([0, maxTokens[1] + 1].map((tokens) => isTaken({ maxTokens: tokens }))).toEqual([false, false]);
    expect([model, model + 1].map((length) => isTaken({ model: '/'.repeat(length) }))).toEqual([true, false]);
    for (const name of ['a', 'q-3', '-a', 'A', 'a b', '', 'a'.repeat(41), 'a'.repeat(42)])
      expect([name, id.test(name)]).toEqual([name, isTaken({ id: name })]);
  });

  it('counts the programs of learning, of evaluations before the end, and of the final one', () => {
    const evaluation = { split: 'test', problems: 10, nodes: 6, samples: 2, every: 15 };
    const spec = { kind: 'pocket', method: 'rs2', families: ['reader', 'tracer'], updates: 30, batch: 8 };
    const own = pocketTrainingSchema.parse({ ...spec, evaluation });
    // Before the first update and after the 15th; what follows the 30th is the final one, with a tree of the team.
    expect(trainingPrograms(own)).toEqual({
      ...{ learned: 480, evaluations: 2, evaluated: 80 },
      final: 10 * 6 * 3 + 40,
    });
    expect(trainingPrograms({ ...own, updates: 31 })).toMatchObject({ evaluations: 3 });
    const none = { ...own.evaluation, every: 0 };
    expect(trainingPrograms({ ...own, evaluation: none })).toMatchObject({ evaluations: 0, evaluated: 0 });
    expect(trainingPrograms({ ...own, method: 'base' })).toMatchObject({ learned: 0, evaluations: 0 });
  });

  it('names where the problems of an evaluation come from', () => {
    const pocket = pocketTrainingSchema.parse({ kind: 'pocket', method: 'rs2', families: ['reader'] });
    expect(heldOutPart('test', pocket)).toBe('the test split (problem seed 5)');
    const model = modelTrainingSchema.parse({
      kind: 'model',
      method: 'rs2',
      agents: [{ id: 'a', model: '/m' }],
      problems: { benchmarkId: 'mbpp' },
    });
    expect(heldOutPart('held out', model)).toBe('mbpp');
    const on = { benchmarkId: 'humaneval', problemIds: null };
    expect(heldOutPart('humaneval', { ...model, evaluation: { ...model.evaluation, on } })).toBe('humaneval');
  });
});
