import { expect, test } from 'vitest';
import { launchDeskModel, launchScale } from '../../../main/app/launch-scale';
import { serverLaunchSchema } from '../../../preload/contract';

const launch = (change: object) =>
  serverLaunchSchema.parse({
    id: 'l',
    name: 'L',
    engine: 'vllm',
    machineId: 'm',
    weights: 'w',
    model: 'm',
    ...change,
  });
const QWEN = { weights: 'Qwen/Qwen3-8B' };
const trainings = [
  { id: 'training-1', scale: 'own' as const },
  { id: 'training-2', scale: 'paper' as const },
];

test.each([
  ['our own engine', { engine: 'pytorch' }, 'own'],
  [
    'a checkpoint that was trained here, by another engine',
    { weights: '/d/training-1/checkpoints/a-000008' },
    'own',
  ],
  ["a checkpoint of MARTI's", { weights: '/d/training-2/checkpoints/a-000008' }, 'paper'],
  ["one of the papers' models", { weights: 'Qwen/Qwen3-8B' }, 'paper'],
  ["one of the papers' models in a folder", { weights: '/models/qwen3-8b/' }, 'paper'],
  ['the same, quantised', { engine: 'llama-cpp', weights: '/models/Qwen3-8B-Q4_K_M.gguf' }, 'own'],
  ['a named small model, quantised', { engine: 'llama-cpp', weights: '/m/SmolLM2-135M-Q4_1.gguf' }, 'desk'],
  ['the same by our own engine', { engine: 'pytorch', weights: 'Qwen/Qwen3-0.6B' }, 'desk'],
  ["a paper's model by our own engine", { engine: 'pytorch', weights: 'Qwen/Qwen3-8B' }, 'own'],
  ['a small model that was trained here', { weights: '/d/training-1/checkpoints/SmolLM2-135M' }, 'own'],
  ['a small model with an adapter', { weights: '/m/SmolLM2-135M', extraArguments: '--lora a.gguf' }, 'own'],
  ["a paper's model that its engine quantises", { ...QWEN, extraArguments: '--quantization fp8' }, 'own'],
  ['an edited command with these weights', { ...QWEN, commandLine: 'vllm serve Qwen/Qwen3-8B' }, 'paper'],
  ['an edited command with others', { ...QWEN, commandLine: 'vllm serve Qwen/Qwen3-8B-tuned2' }, 'own'],
  ['an edited command that names none', { ...QWEN, commandLine: './serve.sh {port}' }, 'own'],
  ['any other model', { weights: '/models/mine.gguf' }, 'own'],
])('numbers of %s', (_name, change, scale) => {
  expect(launchScale(launch(change), trainings)).toBe(scale);
});

test('a launch that is gone says nothing of its model', () => {
  expect(launchScale(undefined, trainings)).toBe('own');
});

test('a small model is named with its quantisation, and only where that is what it serves', () => {
  const weights = '/m/SmolLM2-135M-Q4_1.gguf';
  expect(launchDeskModel(launch({ weights }), trainings)).toBe('SmolLM2-135M Q4_1');
  expect(launchDeskModel(launch({ weights, extraArguments: '--lora a' }), trainings)).toBeNull();
  expect(launchDeskModel(launch(QWEN), trainings)).toBeNull();
  expect(launchDeskModel(undefined, trainings)).toBeNull();
});
