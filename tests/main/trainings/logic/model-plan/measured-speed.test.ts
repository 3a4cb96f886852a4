import { describe, expect, test } from 'vitest';
import { secondsByDevice } from '../../../../../main/trainings/logic/model-plan/duration';
import { measuredSpeed } from '../../../../../main/trainings/logic/model-plan/measured-speed';
import { trainingWork } from '../../../../../main/trainings/logic/model-plan/work';
import type { GpuDay, GpuDayStep, ModelTraining } from '../../../../../preload/contract';
import { qwen, shapeOf, training } from '../../../../support/model-shapes';
import { sampleGpuDay } from '../../../../support/sample-gpu-day';

const engine = training({ lora: null, writer: { engine: 'vllm' }, dtype: 'bfloat16' });
const own = training({ dtype: 'bfloat16' });

/** The day with one step changed. */
function dayWith(id: GpuDayStep['id'], change: Partial<GpuDayStep>): GpuDay {
  const day = sampleGpuDay();
  return { ...day, steps: day.steps.map((step) => (step.id === id ? { ...step, ...change } : step)) };
}

describe('the speed of a GPU day', () => {
  test('is what its tokens, its shares of time and its parameters say', () => {
    const speed = measuredSpeed(sampleGpuDay(), engine, 'gpu');
    // 32 answers of 400 tokens at 4,000 a second: 3.2 s, of which learning took 0.4/0.5: 2.56 s for 32 x 1,000 tokens.
    expect(speed?.operations).toBeCloseTo((12 * 6e8 * 32_000) / 2.56, -8);
    expect(speed).toMatchObject({
      tokenSeconds: 1 / 4_000,
      rows: 32,
      bytesPerParameter: 2,
      day: '2026-11-20',
    });
    // An adapter's update computes no gradient of the frozen weights.
    expect(measuredSpeed(sampleGpuDay(), own, 'gpu')?.operations).toBeCloseTo((10 * 6e8 * 32_000) / 2.56, -8);
  });

  test('is that of the writer that is asked for, of a step that is done, on the same kind of device', () => {
    expect(measuredSpeed(dayWith('learner', { state: 'failed' }), own, 'gpu')).toBeNull();
    expect(measuredSpeed(dayWith('learner', { state: 'failed' }), engine, 'gpu')).not.toBeNull();
    expect(measuredSpeed(dayWith('reload', { state: 'failed' }), engine, 'gpu')).toBeNull();
    expect(measuredSpeed(sampleGpuDay(), engine, 'processor')).toBeNull();
    expect(measuredSpeed(dayWith('reload', { values: {} }), engine, 'gpu')).toBeNull();
    const unknown = { ...sampleGpuDay(), model: { name: 'x', parameters: null, layers: null } };
    expect(measuredSpeed(unknown, engine, 'gpu')).toBeNull();
  });

  test('narrows the hours of another model there, and gives its own back', () => {
    const speed = measuredSpeed(sampleGpuDay(), engine, 'gpu');
    const hours = (spec: ModelTraining, withSpeed: boolean, shape = shapeOf(qwen)) =>
      secondsByDevice([{ shape, maxTokens: 2_048 }], spec, trainingWork(spec, 100), {
        ...{ device: 'gpu', cores: 8, speed: withSpeed ? speed : null },
      });
    const [wide, narrow] = [hours(engine, false), hours(engine, true)];
    expect(narrow.high / narrow.low).toBeLessThan(wide.high / wide.low);
    // Tokens a second of the same model, written as many at once, lie within the range: here only writing counts.
    const spec = training({ ...engine, updates: 1, batch: 32, treesPerRound: 32, nodes: 8, method: 'grpo' });
    const small = { ...shapeOf(qwen), parameters: 6e8, layers: 28 };
    const work = {
      ...trainingWork(spec, 100),
      learned: 0,
      evaluated: 0,
      chosenBy: 0,
      written: 256,
      rows: 32,
    };
    const { low, high } = secondsByDevice([{ shape: small, maxTokens: 2_048 }], spec, work, {
      ...{ device: 'gpu', cores: 8, speed },
    });
    const longest = (256 * 2_048) / 4_000;
    expect(high).toBeGreaterThan(longest);
    expect(low).toBeLessThan(longest / 4);
  });
});
