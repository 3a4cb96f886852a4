import { describe, expect, test } from 'vitest';
import { LAB, LOCATIONS, planOf, twoModels } from '../../../../support/plan-inputs';

describe('estimates', () => {
  test('of a pocket plan add up over trainings on all cores and searches one after the other', () => {
    const { plan } = planOf(twoModels(), 'pocket', {
      order: { only: ['r.base', 'r.roles'], seeds: [11] },
      inputs: { programCost: () => ({ seconds: 0.01, tokens: 100 }), trainingSeconds: () => 80 },
    });
    // 20 problems x (12 nodes + 4 first attempts of each agent): 320 and 400 programs. The computer has 8 cores.
    expect(plan.estimate.tokens).toBe(72_000);
    expect(plan.estimate.seconds).toBeCloseTo(80 + 7.2);
    expect(plan.estimate.gpuSeconds).toBe(0);
    expect(plan.diskBytes).toBeGreaterThan(0);
  });

  test('of GPUs count every GPU that is held', () => {
    const { plan } = planOf(twoModels(), 'paper', {
      order: { only: ['r.team'], seeds: [11], paper: LOCATIONS },
      inputs: { ...LAB, programCost: () => ({ seconds: 1, tokens: 10_000 }), trainingSeconds: () => 3_600 },
    });
    // 175 x (60 + 2 x 8) programs on 2 GPUs; a training on 8.
    const programs = 175 * 76;
    expect(plan.estimate).toEqual({
      seconds: 3_600 + programs,
      gpuSeconds: 3_600 * 8 + programs * 2,
      tokens: programs * 10_000,
    });
  });

  test('are not known where nothing of the kind was done, and the plan says so', () => {
    const { plan } = planOf(twoModels(), 'paper', { order: { paper: LOCATIONS }, inputs: LAB });
    expect(plan.estimate).toEqual({ seconds: null, gpuSeconds: null, tokens: null });
    expect(plan.notes.join(' ')).toContain('There are none yet');
  });
});
