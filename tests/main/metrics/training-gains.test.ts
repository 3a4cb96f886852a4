import { describe, expect, test } from 'vitest';
import { trainingGains } from '../../../main/metrics';
import type { TeamEvaluation, TrainingEvaluation } from '../../../preload/contract';

/** Passed attempts of eight, by problem. */
type Passed = Readonly<Record<string, number>>;

function samplesOf(agentId: string, passed: number | undefined) {
  return passed === undefined ? [] : [{ agentId, count: 8, passed }];
}

function team(agentIds: readonly string[], passed: Passed): TeamEvaluation {
  return {
    agentIds: [...agentIds],
    nodes: 4,
    problems: Object.entries(passed).map(([problemId, count]) => ({
      problemId,
      samples: agentIds.flatMap((agentId) => samplesOf(agentId, count)),
      ...{ chosenPasses: true, somePasses: true, distinctPrograms: 1, algorithms: [] },
    })),
  };
}

function evaluation(before: Passed | null, teams: readonly TeamEvaluation[]): TrainingEvaluation {
  const counted = Object.entries(before ?? {}).map(([problemId, passed]) => ({
    problemId,
    samples: samplesOf('one', passed),
  }));
  return { split: 'test', seed: 1, teams: [...teams], ...(before === null ? {} : { before: counted }) };
}

describe('the gain of a training', () => {
  test('is paired over problems, whatever their order', () => {
    // Differences in eighths: 2, 2, 0, 4; the smallest and greatest resamples of four are all 0 and all 4 eighths.
    const before = { d: 0, c: 8, b: 4, a: 0 };
    const after = { a: 2, b: 6, c: 8, d: 4 };
    const [gain, ...others] = trainingGains(evaluation(before, [team(['one'], after)]));
    expect(others).toEqual([]);
    expect(gain).toMatchObject({
      agentId: 'one',
      problems: 4,
      before: 0.375,
      after: 0.625,
      difference: 0.25,
    });
    // Sums of four draws from {0, 2, 2, 4}: P(sum <= 2) is 9 of 256, so that 2.5 % lies at 2 eighths of four problems.
    expect(gain?.low).toBeCloseTo(2 / 8 / 4, 9);
    expect(gain?.high).toBeCloseTo(14 / 8 / 4, 9);
    // Three problems gain; c, which does not differ, counts for neither side.
    expect(gain?.oddsRatio).toMatchObject({ value: null, high: null });
  });

  test('is not certain where the few problems that were measured all gain alike', () => {
    const before = { a: 0, b: 2, c: 4, d: 7 };
    const after = { a: 1, b: 3, c: 5, d: 8 };
    expect(trainingGains(evaluation(before, [team(['one'], after)]))[0]).toMatchObject({
      difference: 0.125,
      // Of four that agree, 1 - 0.025^(1/4) may be otherwise, as far as differences go.
      low: expect.closeTo(0.125 - (1 - 0.025 ** 0.25) * 1.125, 9),
      high: expect.closeTo(0.125 + (1 - 0.025 ** 0.25) * 0.875, 9),
    });
  });

  test('is of agents alone, and of problems that were measured both times', () => {
    const both = [team(['one'], { a: 4, b: 4 }), team(['two'], { a: 4 }), team(['one', 'two'], { a: 8 })];
    expect(trainingGains(evaluation({ a: 2, c: 8 }, both))).toEqual([
      {
        ...{ agentId: 'one', problems: 1, before: 0.25, after: 0.5, difference: 0.25 },
        ...{ low: expect.closeTo(0.25 - 0.975 * 1.25, 9), high: expect.closeTo(0.25 + 0.975 * 0.75, 9) },
        oddsRatio: { value: null, low: expect.closeTo(0.025 / 0.975, 9), high: null },
      },
    ]);
  });

  test('is unknown without a measurement before', () => {
    expect(trainingGains(evaluation(null, [team(['one'], { a: 4 })]))).toEqual([]);
  });
});
