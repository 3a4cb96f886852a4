import { describe, expect, test } from 'vitest';
import { engineMemory, learnerMemory } from '../../../../../main/trainings/logic/model-plan/memory';
import { qwen, shapeOf, smol, training } from '../../../../support/model-shapes';

describe('memory of a learner', () => {
  const memoryOf = (config: object, change: Record<string, unknown>, device: 'gpu' | 'processor') =>
    learnerMemory(shapeOf(config), training(change), { maxTokens: 512, device, rows: 8 });

  test('full training: 16 bytes a parameter, and a frozen copy for the divergence', () => {
    const memory = memoryOf(smol, { lora: null }, 'processor');
    const n = 134_515_008;
    expect(memory).toMatchObject({ trained: n, weights: 4 * n, gradients: 4 * n, optimiser: 8 * n });
    expect(memory.frozenCopy).toBe(4 * n);
    const { objective } = training();
    const without = { lora: null, objective: { ...objective, kl: { ...objective.kl, coefficient: 0 } } };
    expect(memoryOf(smol, without, 'processor').frozenCopy).toBe(0);
  });

  test('an adapter of rank 16 has 16 parameters for each input and output of a linear layer', () => {
    // A layer: 576+576, 576+192, 576+192, 576+576, and three times 576+1,536.
    const widths = 1_152 + 768 + 768 + 1_152 + 3 * 2_112;
    const memory = memoryOf(smol, {}, 'processor');
    expect(memory.trained).toBe(16 * 30 * widths);
    expect(memory.weights).toBe(4 * (134_515_008 + memory.trained));
    expect(memory.frozenCopy).toBe(0);
  });

  test('activations: each layer’s input of a micro-batch, and one whole layer', () => {
    // 4,096 tokens: 32 answers of 512 tokens and their prompts are more than a micro-batch.
    expect(memoryOf(smol, {}, 'processor').activations).toBe(
      4_096 * (30 * 576 * 4 + (16 * 576 + 6 * 1_536) * 4),
    );
    // 8 rows of 512 + 1,024 tokens; keys and values of 30 layers of 3 heads of 64.
    expect(memoryOf(smol, {}, 'processor').keysAndValues).toBe(8 * 1_536 * 2 * 30 * 192 * 4);
  });

  test('at its peak: as measured, within a fifth', () => {
    // Process of the learner after a pass of 8 samples of 512 tokens, half of them scored: 5.36 GB with an adapter.
    const memory = learnerMemory(shapeOf(smol), training({ batch: 8 }), {
      maxTokens: 256,
      device: 'processor',
      rows: 0,
    });
    expect(memory.total / 5.36e9).toBeGreaterThan(0.8);
    expect(memory.total / 5.36e9).toBeLessThan(1.2);
  });

  test('of a learner of four processes each keeps a fourth, and what it gathers for a layer', () => {
    const spec = { lora: null, dtype: 'bfloat16' };
    const one = memoryOf(qwen, spec, 'gpu');
    const four = memoryOf(qwen, { ...spec, processes: 4 }, 'gpu');
    expect(four.weights).toBe(one.weights / 4);
    expect(four.optimiser).toBe(8_190_735_360 * 2);
    const layer = 4_096 * 2 * (4_096 + 1_024) + 3 * 4_096 * 12_288 + 2 * 4_096 + 2 * 128;
    expect(four.passCopies).toBe(2 * (2 * 151_936 * 4_096 + 2 * layer));
    expect(one.passCopies).toBe(2 * 8_190_735_360);
  });
});

describe('memory of an engine beside its learner', () => {
  const writer = { engine: 'vllm', publish: 'adapter', memoryShare: 0.45 };
  const both = (change: Record<string, unknown>, device: 'gpu' | 'processor', deviceBytes: number | null) => {
    const spec = training({ writer, ...change });
    const memory = learnerMemory(shapeOf(smol), spec, { maxTokens: 512, device, rows: 8 });
    return { memory, ...engineMemory(shapeOf(smol), spec, memory, { device, deviceBytes }) };
  };

  test('on a GPU: its share beside what the learner keeps, or the learner’s pass while it sleeps', () => {
    const { engine, total, memory } = both({}, 'gpu', 80e9);
    expect(engine).toBe(36e9);
    const kept = memory.weights + memory.gradients + memory.optimiser + memory.base;
    expect(total).toBe(kept + 36e9);
    const small = both({}, 'gpu', 6e9);
    expect(small.total).toBe(kept + small.memory.activations + small.memory.logits + small.memory.fragments);
  });

  test('on processors: both at once; without an engine, or a known GPU, the learner alone', () => {
    const { engine, total, memory } = both({}, 'processor', 24e9);
    expect(engine).toBe(3e9 + 4 * 134_515_008);
    expect(total).toBe(memory.total + engine);
    expect(both({ writer: undefined }, 'processor', null)).toMatchObject({ engine: 0 });
    expect(both({}, 'gpu', null).engine).toBe(0);
  });
});
