import { expect, test } from 'vitest';
import { DESK_MODELS, deskModelOf, LAUNCH_PRESETS, modelScale } from '../../../preload/contract';

test.each([
  ['HuggingFaceTB/SmolLM2-135M-Instruct', 'SmolLM2-135M-Instruct'],
  ['/models/qwen2.5-coder-0.5b-instruct/', 'Qwen2.5-Coder-0.5B-Instruct'],
  ['Qwen/Qwen3-0.6B', 'Qwen3-0.6B'],
  ['Qwen/Qwen3-0.6B-Base', 'Qwen3-0.6B-Base'],
  // What its name says of its numbers goes with it.
  ['/models/SmolLM2-135M-Instruct-Q4_1.gguf', 'SmolLM2-135M-Instruct Q4_1'],
  ['/m/SmolLM2-135M-Instruct.Q4_K_M.gguf', 'SmolLM2-135M-Instruct Q4_K_M'],
  ['unsloth/Qwen3-0.6B-UD-IQ4_XS.GGUF', 'Qwen3-0.6B UD-IQ4_XS'],
  ['Qwen/Qwen2.5-Coder-1.5B-Instruct-GPTQ-Int4', 'Qwen2.5-Coder-1.5B-Instruct GPTQ-Int4'],
  ['smollm2-360m.f16.gguf', 'SmolLM2-360M f16'],
])('%s is %s', (weights, name) => {
  expect(deskModelOf(weights)).toBe(name);
  expect(modelScale(weights)).toBe('desk');
});

test.each([
  'SmolLM2-135M-Instruct-tuned',
  '/models/SmolLM2-135M-Instruct/checkpoint-300',
  'SmolLM2-135M-Instruct-Q4_1-tuned.gguf',
  'SmolLM2-135M-InstructQ4_1.gguf',
  'SmolLM2-13',
  'my-SmolLM2-135M',
  'Qwen3-8B-Q4_K_M.gguf',
  'smollm2:135m',
  'model.gguf',
  '.gguf',
  '',
])('"%s" is none of them', (weights) => {
  expect(deskModelOf(weights)).toBeNull();
  expect(modelScale(weights)).toBe('own');
});

test("none of them is a paper's model, and each is there once", () => {
  const names = [...DESK_MODELS, ...LAUNCH_PRESETS.map(({ weights }) => weights.split('/').at(-1) ?? '')];
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
});
