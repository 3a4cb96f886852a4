import { describe, expect, it } from 'vitest';
import { objectiveSchema, pocketTrainingSchema, trainingMethodSchema } from '../../../preload/contract';
import { PLAIN_OBJECTIVE, PLAIN_POCKET_TRAINING, TRAINING_METHODS } from '../../../preload/contract/plans';

describe('training methods', () => {
  it('has every method of the contract once', () => {
    expect(TRAINING_METHODS.map(({ id }) => id)).toEqual(trainingMethodSchema.options);
  });

  it('has the defaults that main fills in', () => {
    expect(objectiveSchema.parse({ shaping: {}, clip: {}, kl: {} })).toEqual(PLAIN_OBJECTIVE);
    const bare = { kind: 'pocket', method: 'rs2', families: ['reader'] };
    expect(pocketTrainingSchema.parse(bare)).toEqual({ ...bare, ...PLAIN_POCKET_TRAINING });
  });
});
