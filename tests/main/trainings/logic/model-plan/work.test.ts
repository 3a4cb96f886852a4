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

  test('an evaluation before the first update counts without others on the way, and can be left out', () => {
    const evaluation = { problems: 20, nodes: 16, samples: 8, every: 0 };
    const evaluatedWith = (more: object) =>
      trainingWork(training({ evaluation: { ...evaluation, ...more } }), 40).evaluated;
    const atTheEnd = 20 * 16 + 20 * 8;
    expect(evaluatedWith({ before: true })).toBe(atTheEnd + 20 * 8);
    expect(evaluatedWith({ every: 5, before: false })).toBe(atTheEnd + 20 * 8 * 3);
  });

  test('the answers by which problems are chosen count, of those that there are', () => {
    const chosenBy = (measured: number, method: 'rs2' | 'base' = 'rs2') => {
      const problems = { benchmarkId: 'b', choose: { measured, samples: 8, from: 0.1, to: 0.8 } };
      return trainingWork(training({ agents: twoAgents, method, problems }), 40).chosenBy;
    };
    expect([chosenBy(30), chosenBy(200), chosenBy(30, 'base')]).toEqual([30 * 8 * 2, 40 * 8 * 2, 0]);
    expect(trainingWork(training(), 40).chosenBy).toBe(0);
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
