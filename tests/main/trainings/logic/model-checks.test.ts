import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modelChecks, modelSizesScript, trainingSetUp } from '../../../../main/trainings/logic/model-checks';
import { temporaryFolder } from '../../../support/temporary-folder';

test('each agent has its model there, or is told what is', async () => {
  const folder = await temporaryFolder();
  const place = (name: string) => join(folder, name);
  await mkdir(place("a model's"));
  await writeFile(place("a model's/config.json"), '{}');
  await writeFile(place("a model's/model.safetensors"), Buffer.alloc(20_000_000, 1));
  await writeFile(place('small.gguf'), Buffer.alloc(10_000_000, 1));
  await mkdir(place('empty'));
  const models = [place("a model's"), place('small.gguf'), place('empty'), place('absent')];
  const agents = models.map((model, at) => ({
    id: `agent-${at + 1}`,
    model,
    maxTokens: 8,
    extraction: 'whole',
  }));
  const spec = { agents } as unknown as Parameters<typeof modelSizesScript>[0];
  const stdout = execFileSync('/bin/sh', ['-c', modelSizesScript(spec)], { encoding: 'utf8' });
  expect(modelChecks(stdout, spec).map(({ id, state, found }) => [id, state, found])).toEqual([
    ['model-agent-1', 'good', `${models[0]} is there: 0.02 GB.`],
    ['model-agent-2', 'good', `${models[1]} is there: a file of 0.01 GB.`],
    ['model-agent-3', 'bad', expect.stringMatching(/without a config\.json\.$/)],
    ['model-agent-4', 'bad', `${models[3]} is not there.`],
  ]);
  expect(modelChecks('', spec)[0]?.state).toBe('unknown');
});

test('variables of the training come before its set-up, quoted', () => {
  expect(trainingSetUp({ env: { A: "it's" }, setUp: ' module load cuda\n' })).toBe(
    "export A='it'\\''s'\nmodule load cuda",
  );
});

test('what is no name of a variable is left out: the shell would run it', () => {
  const env = { 'A=1; touch proof; B': 'x', '$(touch proof)': 'x', '-n': 'x', C: '$(touch proof)' };
  expect(trainingSetUp({ env, setUp: '' })).toBe("export C='$(touch proof)'");
});
