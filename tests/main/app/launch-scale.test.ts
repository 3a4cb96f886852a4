import { expect, test } from 'vitest';
import { launchScale } from '../../../main/app/launch-scale';
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
  ['any other model', { weights: '/models/SmolLM2-135M-Instruct-Q4_1.gguf' }, 'own'],
])('numbers of %s', (_name, change, scale) => {
  expect(launchScale(launch(change), trainings)).toBe(scale);
});

test('a launch that is gone says nothing of its model', () => {
  expect(launchScale(undefined, trainings)).toBe('own');
});
