import { describe, expect, it } from 'vitest';
import { hasTrl } from '../support/learner';
import { parsedByTrainer } from '../support/recipe-parser';
import { warmPython } from '../support/warm-python';

// Those of verl and OpenRLHF need their packages: tests/bench/training/recipes.bench.ts.
describe.skipIf(warmPython === null || !hasTrl())('the recipe of TRL', () => {
  it('has a command of which TRL’s own parser, and accelerate’s, knows every word', async () => {
    const { trainer, settings } = await parsedByTrainer('trl-grpo', warmPython as string);
    expect(trainer).toMatch(/^trl \d/);
    expect(settings).toMatchObject({
      output_dir: "/data/my run, it's #1",
      reward_funcs: ['org/model'],
      use_vllm: true,
      seed: 42,
      num_processes: 8,
      config_file: expect.stringMatching(/zero3\.yaml$/),
    });
  });
});
