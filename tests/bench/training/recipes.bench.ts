import { expect, test } from 'vitest';
import { parsedByTrainer } from '../../support/recipe-parser';

/**
 * The command of each recipe, read by its trainer's own parser. A Python with the trainer is named by MARS2_VERL_PYTHON
 * (verl, hydra-core), MARS2_OPENRLHF_PYTHON (openrlhf; nothing that it asks for) and MARS2_TRL_PYTHON (trl).
 */
test.each(['verl', 'openrlhf', 'trl'])('%s', async (name) => {
  const python = process.env[`MARS2_${name.toUpperCase()}_PYTHON`];
  if (python === undefined) {
    process.stdout.write(`${name}: no Python is named\n`);
    return;
  }
  const { trainer, settings } = await parsedByTrainer(`${name}-grpo`, python);
  process.stdout.write(`${trainer} knows every word\n`);
  expect(JSON.stringify(settings)).toContain("my run, it's #1");
});
