import { describe, expect, test } from 'vitest';
import { trainingWork, updateCost } from '../../../../../main/trainings/logic/model-plan/work';
import { training, twoAgents } from '../../../../support/model-shapes';

describe('the work of a training', () => {
  test('alone in its trees: rounds of 8 trees of 8 nodes', () => {
    expect(trainingWork(training({ updates: 20, batch: 32 }), 40)).toMatchObject({
      learned: 640,
      rounds: 10,
      written: 640,
      treesPerProblem: 2,
      rows: 8,
      // 20 problems: 16 nodes, and 8 first attempts.
      evaluated: 20 * 16 + 20 * 8,
    });
  });

  test('two agents in shared trees need twice the rounds, and the team is evaluated as well', () => {
    const work = trainingWork(training({ method: 'heter-mars2', agents: twoAgents }), 40);
    expect(work).toMatchObject({ learned: 1_280, rounds: 20, written: 1_280, treesPerProblem: 4, rows: 4 });
    expect(work.evaluated).toBe(20 * 16 * 3 + 20 * 8 * 2);
  });

  test('first attempts of GRPO are written together; evaluations on the way count', () => {
    const evaluation = { problems: 20, nodes: 16, samples: 8, every: 5 };
    const work = trainingWork(training({ method: 'grpo', agents: twoAgents, evaluation }), 40);
    expect(work).toMatchObject({ rounds: 10, written: 1_280, treesPerProblem: 4, rows: 64 });
    // Before, and after 5, 10 and 15 updates; after 20 it is the final one.
    expect(work.evaluated).toBe(20 * 16 * 3 + 20 * 8 * 2 * 5);
  });

  test('without training only the evaluation is left', () => {
    expect(trainingWork(training({ method: 'base' }), 40)).toMatchObject({
      learned: 0,
      rounds: 0,
      written: 0,
    });
  });

  test('operations of an update for each parameter and token', () => {
    const { objective } = training();
    const without = { ...objective, kl: { ...objective.kl, coefficient: 0 } };
    expect(updateCost({ lora: null, objective })).toEqual({ scores: 2, perToken: 12 });
    expect(updateCost({ lora: null, objective: without })).toEqual({ scores: 1, perToken: 10 });
    // An adapter's reference is scored in any case, and frozen weights have no gradient.
    expect(updateCost({ lora: { rank: 8, alpha: 16 }, objective: without })).toEqual({
      scores: 2,
      perToken: 10,
    });
  });
});
