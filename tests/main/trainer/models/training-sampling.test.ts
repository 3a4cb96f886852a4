import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelLearning } from '../../../../main/trainer/models/train-model';
import { type ModelTraining, modelTrainingSchema, samplingSchema } from '../../../../preload/contract';

describe('trap 7: answers that are trained on are drawn from the policy itself', () => {
  const agent = { id: 'a', model: 'm' };
  const parse = (change: object) =>
    modelTrainingSchema.safeParse({
      ...{ kind: 'model', method: 'rs2', agents: [agent], problems: { benchmarkId: 'b' } },
      ...change,
    });

  test('whatever its evaluation asks for', () => {
    const sampling = fc.record(
      {
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        topP: fc.double({ min: 0.01, max: 1, noNaN: true }),
        topK: fc.integer({ min: 1, max: 100 }),
        minP: fc.double({ min: 0, max: 1, noNaN: true }),
        stop: fc.constant(['\n']),
        extra: fc.constant({ repetition_penalty: 1.1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(sampling, (asked) => {
        const spec = parse({ evaluation: { sampling: asked } }).data as ModelTraining;
        for (const member of modelLearning(spec).members)
          expect(member.sampling).toEqual({ temperature: 1, topP: 1, maxTokens: 1_024 });
      }),
    );
  });

  test('an agent of a training has no setting for it', () => {
    const settings = Object.keys(samplingSchema.shape).filter(
      (setting) => !['maxTokens', 'thinking'].includes(setting),
    );
    expect(settings).toEqual(expect.arrayContaining(['temperature', 'topP', 'topK', 'minP', 'extra']));
    for (const setting of [...settings, 'sampling'])
      expect(parse({ agents: [{ ...agent, [setting]: 1 }] }).success, setting).toBe(false);
  });
});
