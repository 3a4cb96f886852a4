import { type ModelShape, readModelShape } from '../../main/trainings/logic/model-plan/model-shape';
import { type ModelTraining, modelTrainingSchema } from '../../preload/contract';

/** SmolLM2-135M's config.json. */
export const smol = {
  ...{ model_type: 'llama', hidden_size: 576, intermediate_size: 1_536, num_hidden_layers: 30 },
  ...{ num_attention_heads: 9, num_key_value_heads: 3, vocab_size: 49_152 },
  ...{ tie_word_embeddings: true, max_position_embeddings: 8_192 },
};
/** Qwen3-8B's. */
export const qwen = {
  ...{ model_type: 'qwen3', hidden_size: 4_096, intermediate_size: 12_288, num_hidden_layers: 36 },
  ...{ num_attention_heads: 32, num_key_value_heads: 8, head_dim: 128, vocab_size: 151_936 },
  tie_word_embeddings: false,
};
/** Qwen2.5-0.5B's. */
export const qwen2 = {
  ...{ model_type: 'qwen2', hidden_size: 896, intermediate_size: 4_864, num_hidden_layers: 24 },
  ...{ num_attention_heads: 14, num_key_value_heads: 2, vocab_size: 151_936, tie_word_embeddings: true },
};

export function shapeOf(config: object): ModelShape {
  const reading = readModelShape(JSON.stringify(config));
  if (reading.kind === 'unknown') throw new Error(reading.why);
  return reading.shape;
}

/** A small order, changed. */
export function training(change: Record<string, unknown> = {}): ModelTraining {
  return modelTrainingSchema.parse({
    kind: 'model',
    method: 'rs2',
    agents: [{ id: 'small', model: '/models/small', maxTokens: 512 }],
    problems: { benchmarkId: 'own' },
    ...change,
  });
}

export const twoAgents = ['one', 'two'].map((id) => ({ id, model: `/models/${id}`, maxTokens: 512 }));
