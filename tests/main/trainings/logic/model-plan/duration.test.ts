import { describe, expect, test } from 'vitest';
import {
  measuredRate,
  rangeText,
  secondsByDevice,
  secondsByRate,
  shareOfTime,
} from '../../../../../main/trainings/logic/model-plan/duration';
import { trainingWork } from '../../../../../main/trainings/logic/model-plan/work';
import { shapeOf, smol, training, twoAgents } from '../../../../support/model-shapes';

describe('how long a training takes', () => {
  test('the range of a processor contains the arithmetic alone, at any of its speeds', () => {
    const spec = training({ evaluation: { problems: 0 } });
    const work = trainingWork(spec, 40);
    const agents = [{ shape: shapeOf(smol), maxTokens: 512 }];
    const { low, high } = secondsByDevice(agents, spec, work, { device: 'processor', cores: 2 });
    // Slow: 640 answers of 512 tokens, one after the other in 8 trees.
    const n = 134_515_008;
    const step = 30 * 2e-3 + (4 * n) / 8e9 + (8 * 2 * n) / 2e10;
    const slow = 80 * 512 * step + (640 * 1_024 * 2 * n) / 2e10 + (640 * 1_536 * 10 * n) / 2e10 + 640 * 0.5;
    expect(high).toBeCloseTo(slow, 6);
    expect(low).toBeGreaterThan((640 * (256 + 128) * 10 * n) / 3e11);
    expect(low).toBeLessThan(high / 10);
  });

  test('two agents share a processor, and have GPUs of their own', () => {
    const spec = training({ evaluation: { problems: 0 }, agents: twoAgents, method: 'rs2' });
    const alone = training({ evaluation: { problems: 0 }, method: 'rs2' });
    const agent = { shape: shapeOf(smol), maxTokens: 512 };
    const seconds = (count: number, device: 'gpu' | 'processor') => {
      const one = count === 1 ? alone : spec;
      const work = { ...trainingWork(one, 40) };
      const grading = work.written * 0.5;
      return secondsByDevice(Array(count).fill(agent), one, work, { device, cores: 2 }).high - grading;
    };
    expect(seconds(2, 'processor')).toBeCloseTo(2 * seconds(1, 'processor'), 6);
    expect(seconds(2, 'gpu')).toBeCloseTo(seconds(1, 'gpu'), 6);
  });

  const latest = [
    { agentId: 'small', key: 'tokens-per-second', value: 100 },
    { agentId: 'small', key: 'time-writing', value: 0.5 },
    { agentId: 'small', key: 'time-grading', value: 0.25 },
    { agentId: 'small', key: 'tokens', value: 200 },
    { agentId: 'small', key: 'tokens', value: 999, part: 'evaluation' as const },
  ];

  test('at the rate of an earlier training', () => {
    const spec = training({ evaluation: { problems: 10, nodes: 4, samples: 6 } });
    const rate = measuredRate({ name: 'Before', spec, latest });
    if (rate === null) throw new Error('There is a rate.');
    expect(rate).toMatchObject({ tokensPerSecond: 100, writing: 0.5, grading: 0.25, tokens: 200 });
    const alike = { low: 1, high: 1 };
    const seconds = (640 * 200) / 50 + ((100 * 200) / 100) * 1.5;
    const { low, high } = secondsByRate(spec, trainingWork(spec, 40), rate, alike);
    expect([low, high]).toEqual([seconds / 1.5, seconds * 1.5]);
    // Twice the limit on tokens may be twice the answer.
    const longer = training({ ...spec, agents: [{ ...spec.agents[0], maxTokens: 1_024 }] });
    expect(secondsByRate(longer, trainingWork(longer, 40), rate, alike).high).toBeCloseTo(high * 2, 9);
    // Only the writing of an evaluation is faster where more answers are written together.
    const together = secondsByRate(spec, trainingWork(spec, 40), rate, { low: 0.25, high: 0.5 });
    expect(together.low).toBeCloseTo((seconds - 200 * 0.75) / 1.5, 9);
    expect(together.high).toBeCloseTo((seconds - 200 * 0.5) * 1.5, 9);
    expect(measuredRate({ name: 'No update', spec, latest: latest.slice(1) })).toBeNull();
  });

  test('an answer takes less time the more are written together, as far as arithmetic allows', () => {
    const spec = { dtype: 'float32' } as const;
    const device = { device: 'processor', cores: 1 } as const;
    const share = (rows: number, fewer: number) =>
      shareOfTime([shapeOf(smol)], spec, device, { rows, fewer });
    // 30 layers and 0.54 GB of weights are shared by all answers; 2 × 134,515,008 operations are each answer's own.
    const slow = (rows: number) => (30 * 2e-3 + (4 * 134_515_008) / 8e9) / rows + (2 * 134_515_008) / 1e10;
    expect(share(64, 2).high).toBeCloseTo(slow(64) / slow(2), 9);
    expect(share(64, 2).low).toBeLessThan(share(64, 2).high);
    expect(share(64, 64)).toEqual({ low: 1, high: 1 });
    expect(share(2, 64)).toEqual({ low: 1, high: 1 });
  });

  test.each([
    [{ low: 600, high: 2_400 }, '10 to 40 minutes'],
    [{ low: 5_400, high: 32_400 }, '1.5 to 9 hours'],
    [{ low: 100_000, high: 900_000 }, '28 hours to 10 days'],
    [{ low: 3_000, high: 200_000 }, '50 minutes to 2.3 days'],
    [{ low: 1, high: 5 }, 'less than a minute'],
    [{ low: 60, high: 70 }, 'about 1 minute'],
  ])('%o as text: %s', (range, text) => {
    expect(rangeText(range)).toBe(text);
  });
});
