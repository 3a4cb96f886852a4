import { describe, expect, test } from 'vitest';
import { ENGINES } from '../../../../main/servers/logic/engines';
import { type FitQuestion, fitOf } from '../../../../main/servers/logic/fit';
import {
  LAUNCH_PRESETS,
  launchFromPreset,
  launchPresetOf,
  serverLaunchSchema,
  suggestedGpus,
} from '../../../../preload/contract';

const card = (totalGib: number, usedGib = 0) => ({
  memoryTotalMib: totalGib * 1_024,
  memoryUsedMib: usedGib * 1_024,
});

/** 16 GiB of weights, 100 KiB a token. */
function ask(change: Partial<FitQuestion> = {}, launch: Partial<FitQuestion['launch']> = {}) {
  return fitOf({
    launch: { gpus: 1, memoryShare: 0.9, contextTokens: 32_768, weights: 'w', ...launch },
    kind: ENGINES.vllm,
    weights: { bytes: 16 * 1_024 ** 3, isEstimate: false },
    shape: { layers: 25, attentionHeads: 8, kvHeads: 8, headDim: 128, contextTokens: 40_960 },
    gpus: [card(80)],
    ...change,
  });
}

test.each<[string, ReturnType<typeof ask>, string, RegExp]>([
  ['room for many answers', ask(), 'fits', /17 full-length answers at once/],
  ['room for one', ask({ gpus: [card(24)] }), 'tight', /one full-length answer/],
  ['a context longer than the cache', ask({ gpus: [card(22)] }), 'too-big', /set the context to/],
  ['weights that are larger than the GPU', ask({ gpus: [card(16)] }), 'too-big', /Use at least 2 GPUs/],
  ['others who hold the memory', ask({ gpus: [card(80, 70)] }), 'too-big', /Other programs use the memory/],
  ['a share that is not free', ask({ gpus: [card(80, 20)] }), 'too-big', /lower the share to 0\.74/],
  ['no GPU at all', ask({}, { gpus: 0 }), 'unknown', /on the CPU/],
  ['weights that nobody has seen', ask({ weights: null }), 'unknown', /not known/],
  ['GPUs that do not tell', ask({ gpus: [] }), 'unknown', /memory of the GPU is not known/],
])('with %s the verdict says so, and what to do', (_name, fit, verdict, message) => {
  expect(fit.verdict).toBe(verdict);
  expect(fit.text).toMatch(message);
});

test('the numbers are those of the sentence: weights and cache per GPU, and an estimate by name', () => {
  const fit = ask(
    { weights: { bytes: 16 * 1_024 ** 3, isEstimate: true }, gpus: [card(80), card(80, 4)] },
    { gpus: 2 },
  );
  expect(fit).toMatchObject({ weightsGib: 8, cacheGib: 62.5, freeGib: 76 });
  expect(fit.text).toMatch(
    /^Estimate: weights 16\.0 GiB \(from the number of parameters, split over 2 GPUs\)/,
  );
});

describe('presets', () => {
  test.each(LAUNCH_PRESETS)('$name fits the GPUs that are suggested for it', (preset) => {
    for (const { memoryGib } of preset.gpus) {
      const gpus = suggestedGpus(preset, memoryGib);
      const fit = fitOf({
        launch: launchFromPreset(preset, { id: 'l', machineId: 'local', memoryGib }),
        kind: ENGINES.vllm,
        weights: { bytes: preset.shape.parameters * preset.shape.bytesPerParameter, isEstimate: true },
        shape: preset.shape,
        gpus: Array.from({ length: gpus }, () => card(memoryGib)),
      });
      expect([memoryGib, gpus, fit.verdict, fit.text]).toEqual([
        memoryGib,
        gpus,
        expect.stringMatching(/fits|tight/),
        fit.text,
      ]);
      // Heads have to be split evenly.
      expect(preset.shape.attentionHeads % gpus).toBe(0);
    }
  });

  test.each(LAUNCH_PRESETS)('$name makes a launch that can be saved', (preset) => {
    const launch = launchFromPreset(preset, { id: preset.id, machineId: 'local', memoryGib: null });
    expect(serverLaunchSchema.parse(launch)).toEqual(launch);
    expect(launch.contextTokens).toBeLessThanOrEqual(preset.shape.contextTokens);
  });

  test('are known by a folder of their name, too', () => {
    expect(launchPresetOf('/data/models/qwen3-8b/')?.id).toBe('qwen3-8b');
    expect(launchPresetOf('/data/models/qwen3-8b-awq')).toBeNull();
  });
});
