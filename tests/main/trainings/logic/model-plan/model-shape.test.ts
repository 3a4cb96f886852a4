import { describe, expect, test } from 'vitest';
import { readModelShape } from '../../../../../main/trainings/logic/model-plan/model-shape';
import { qwen, qwen2, shapeOf, smol } from '../../../../support/model-shapes';

describe('the parameters of a model by its config.json', () => {
  // As transformers counts the models that it builds from these configurations.
  test.each([
    ['SmolLM2-135M', smol, 134_515_008],
    ['Qwen3-8B', qwen, 8_190_735_360],
    ['Qwen2.5-0.5B', qwen2, 494_032_768],
    [
      'every bias, own projection',
      {
        ...{ model_type: 'llama', hidden_size: 64, intermediate_size: 128, num_hidden_layers: 2 },
        ...{ num_attention_heads: 4, num_key_value_heads: 2, vocab_size: 100 },
        ...{ attention_bias: true, mlp_bias: true },
      },
      87_872,
    ],
  ])('%s', (_, config, parameters) => {
    expect(shapeOf(config).parameters).toBe(parameters);
  });

  test('of another kind, or damaged, they are unknown and it is said why', () => {
    const why = (text: string) => readModelShape(text);
    expect(why(JSON.stringify({ ...smol, model_type: 'gemma3' }))).toMatchObject({
      why: 'is of the kind "gemma3", whose parameters this plan cannot count',
    });
    expect(why(JSON.stringify({ ...smol, model_type: 'constructor' }))).toMatchObject({ kind: 'unknown' });
    expect(why(JSON.stringify({ ...smol, hidden_size: -1 }))).toMatchObject({
      why: 'has a config.json without a usable "hidden_size"',
    });
    expect(why('{')).toMatchObject({ why: 'has a config.json that is no JSON' });
  });
});
