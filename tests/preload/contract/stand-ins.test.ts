import { describe, expect, test } from 'vitest';
import {
  agentIdOf,
  exhibitAtScale,
  modelNames,
  replacedModels,
  standInSentence,
  standInText,
  standInTextInFull,
} from '../../../preload/contract';

const MODELS = [
  { id: 'qwen3-32b', name: 'Qwen3-32B', pocket: { family: 'reader-large' } },
  { id: 'nemotron-32b', name: 'Nemotron-32B', pocket: { family: 'tracer-large' } },
  { id: 'qwen3-3', name: 'Qwen3-3', pocket: { family: 'reader' } },
  { id: 'o4', name: 'O4-Mini', pocket: null },
];
const EXHIBIT = { models: MODELS };

describe('a stand-in at pocket scale', () => {
  test('is named first, with the model that it stands in for', () => {
    expect(modelNames(EXHIBIT, 'pocket', MODELS.slice(0, 1))).toBe('reader-large, in the place of Qwen3-32B');
    expect(modelNames(EXHIBIT, 'pocket', MODELS.slice(0, 2))).toBe(
      'reader-large + tracer-large, in the place of Qwen3-32B + Nemotron-32B',
    );
  });

  test('replaces every model in a text, alone or with both names', () => {
    const text = '2 agents: Qwen3-32B + Nemotron-32B, with Qwen3-3';
    expect(standInText(EXHIBIT, 'pocket', text)).toBe('2 agents: reader-large + tracer-large, with reader');
    expect(standInTextInFull(EXHIBIT, 'pocket', text)).toBe(
      '2 agents: reader-large + tracer-large, in the place of Qwen3-32B + Nemotron-32B, with reader, in the place of Qwen3-3',
    );
  });

  test('is not put in front of a name twice', () => {
    const once = standInTextInFull(EXHIBIT, 'pocket', 'Train GRPO, Qwen3-32B + Nemotron-32B, seed 11');
    expect(once).toBe(
      'Train GRPO, reader-large + tracer-large, in the place of Qwen3-32B + Nemotron-32B, seed 11',
    );
    expect(standInTextInFull(EXHIBIT, 'pocket', once)).toBe(once);
  });

  test('matches whole names only: no name matches as a prefix of another', () => {
    expect(standInText(EXHIBIT, 'pocket', 'Qwen3-32B and Qwen3-3')).toBe('reader-large and reader');
    expect(standInText(EXHIBIT, 'pocket', 'MyQwen3-32B, Qwen3-32Bit')).toBe('MyQwen3-32B, Qwen3-32Bit');
  });

  test('does not replace a model that nothing stands for', () => {
    expect(standInText(EXHIBIT, 'pocket', 'O4-Mini, base')).toBe('O4-Mini, base');
    expect(standInSentence(EXHIBIT, 'pocket')).toBe(
      'Small policies answer here in the place of larger ones: reader-large in the place of Qwen3-32B, tracer-large in the place of Nemotron-32B, reader in the place of Qwen3-3.',
    );
  });

  test('is numbered where one family stands for several models', () => {
    const models = [
      { id: 'a', name: 'A', pocket: { family: 'reader' } },
      { id: 'b', name: 'B', pocket: { family: 'reader' } },
    ];
    expect(models.map((model) => agentIdOf({ models }, 'pocket', model))).toEqual(['reader', 'reader-2']);
    expect(standInText({ models }, 'pocket', 'A, base')).not.toBe(
      standInText({ models }, 'pocket', 'B, base'),
    );
  });
});

test('at paper scale every name is the paper’s', () => {
  const text = 'Qwen3-32B + Nemotron-32B';
  expect(standInTextInFull(EXHIBIT, 'paper', text)).toBe(text);
  expect(replacedModels('paper', MODELS)).toBe('');
  expect(standInSentence(EXHIBIT, 'paper')).toBeNull();
  expect(MODELS.map((model) => agentIdOf(EXHIBIT, 'paper', model))).toEqual(MODELS.map(({ id }) => id));
  const exhibit = { models: MODELS } as unknown as Parameters<typeof exhibitAtScale>[0];
  expect(exhibitAtScale(exhibit, 'paper')).toBe(exhibit);
});
