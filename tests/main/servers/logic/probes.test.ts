import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { portsScript, readFreePorts } from '../../../../main/machines';
import { NODE_SCRIPT, readNodeProbe } from '../../../../main/machines/logic/node-probe';
import { environmentLines } from '../../../../main/servers/logic/environment-lines';
import { readWeightsProbe, weightsScript } from '../../../../main/servers/logic/weights-probe';
import type { Environment } from '../../../../preload/contract';
import { startScriptedServer } from '../../../support/scripted-http-server';
import { temporaryFolder } from '../../../support/temporary-folder';

const run = promisify(execFile);

/** Scripts are for a POSIX shell, so a strict one runs them. */
async function shell(script: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-eu', '-c', script], { env });
  return stdout;
}

describe('weights', () => {
  const config = JSON.stringify({
    num_hidden_layers: 36,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    head_dim: 128,
    max_position_embeddings: 40_960,
  });

  test('in a folder: the files that an engine would load, and the shape of its config', async () => {
    const folder = join(await temporaryFolder(), "it's here");
    await mkdir(folder);
    await writeFile(join(folder, 'config.json'), config);
    await writeFile(join(folder, 'model-1.safetensors'), 'x'.repeat(700));
    await writeFile(join(folder, 'model-2.safetensors'), 'x'.repeat(300));
    await writeFile(join(folder, 'consolidated.pth'), 'x'.repeat(5_000));
    expect(readWeightsProbe(await shell(weightsScript(folder)))).toEqual({
      path: folder,
      bytes: 1_000,
      shape: { layers: 36, attentionHeads: 32, kvHeads: 8, headDim: 128, contextTokens: 40_960 },
    });
  });

  test("by a hub's name: what its cache holds, links followed", async () => {
    const home = await temporaryFolder();
    const cached = join(home, 'hub', 'models--org--model');
    await mkdir(join(cached, 'snapshots', 'abc'), { recursive: true });
    await mkdir(join(cached, 'refs'));
    await writeFile(join(cached, 'refs', 'main'), 'abc');
    await writeFile(join(cached, 'snapshots', 'abc', 'model.safetensors'), 'x'.repeat(50));
    const output = await shell(weightsScript('org/model'), { ...process.env, HF_HOME: home });
    expect(readWeightsProbe(output)).toMatchObject({
      path: expect.stringContaining('abc'),
      bytes: 50,
      shape: null,
    });
  });

  test('that are nowhere are reported as missing', async () => {
    const env = { ...process.env, HF_HOME: await temporaryFolder() };
    const nowhere = { path: null, bytes: null, shape: null };
    expect(readWeightsProbe(await shell(weightsScript('org/none'), env))).toEqual(nowhere);
    expect(readWeightsProbe('')).toEqual(nowhere);
  });
});

test('of several ports those that somebody has are left out', async () => {
  const server = await startScriptedServer(() => undefined);
  onTestFinished(() => server.dispose());
  const taken = Number(new URL(server.baseUrl).port);
  expect(readFreePorts(await shell(portsScript([taken, 29_981, 29_982])))).not.toContain(taken);
  expect(readFreePorts(await shell(portsScript([taken])))).toEqual([]);
  // Where there is no Python to try it with, the kernel's list has to do.
  const tools = await temporaryFolder();
  const bare = await shell(
    `PATH='${tools}:/bin'; python3() { return 127; }\n${portsScript([taken, 29_983])}`,
  );
  expect(readFreePorts(bare)).not.toContain(taken);
});

test('Node is found, with its version; an old one is recognised', async () => {
  const found = readNodeProbe(await shell(NODE_SCRIPT));
  expect(found).toMatchObject({ path: expect.stringMatching(/node$/), isNewEnough: true });
  expect(readNodeProbe('@mars2-node@16.20.0 /a/node\n@mars2-node@22.1.0 /b c/node\n')).toMatchObject({
    path: '/b c/node',
    version: '22.1.0',
  });
  expect(readNodeProbe('@mars2-node@16.20.0 /a/node\n')).toMatchObject({ isNewEnough: false });
  expect(readNodeProbe('motd')).toBeNull();
  // As under cron or a service manager, which set no SHELL.
  const { SHELL: _none, ...bare } = process.env;
  expect(readNodeProbe(await shell(NODE_SCRIPT, bare))).toMatchObject({ isNewEnough: true });
});

describe('environments', () => {
  const enter = (environment: Environment, more: string, env: NodeJS.ProcessEnv = process.env) =>
    run('/bin/sh', ['-c', `${environmentLines(environment)}\n${more}`], { env });

  test('the path is that of a login shell, with any other output', async () => {
    const folder = await temporaryFolder();
    const login = join(folder, 'login');
    await writeFile(login, '#!/bin/sh\necho "Welcome!"\nPATH=/from/login:$PATH\nshift\neval "$1"\n');
    await chmod(login, 0o755);
    const { stdout } = await enter({ kind: 'path' }, 'echo "$PATH"', { ...process.env, SHELL: login });
    expect(stdout).toMatch(/^\/from\/login:[^\n]*\n$/);
  });

  test('a virtual environment is activated; an absent one is named', async () => {
    const place = join(await temporaryFolder(), 'my venv');
    await mkdir(join(place, 'bin'), { recursive: true });
    await writeFile(join(place, 'bin', 'activate'), 'ENTERED=yes\n');
    expect((await enter({ kind: 'venv', place }, 'echo "$ENTERED"')).stdout).toBe('yes\n');
    await expect(enter({ kind: 'venv', place: '/no where' }, 'true')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no virtual environment in /no where'),
    });
  });

  test('conda is entered by its own hook, wherever it was put', async () => {
    const home = await temporaryFolder();
    const profile = join(home, 'miniconda3', 'etc', 'profile.d');
    await mkdir(profile, { recursive: true });
    await writeFile(
      join(profile, 'conda.sh'),
      'conda() { case $1 in shell.posix) echo :;; activate) IN=$2;; esac; }\n',
    );
    const env = { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/sh' };
    expect((await enter({ kind: 'conda', place: 'vllm env' }, 'echo "$IN"', env)).stdout).toBe('vllm env\n');
  });

  test('modules are loaded in their order, and absent ones end the set-up', async () => {
    const env = { PATH: '/usr/bin:/bin', SHELL: '/bin/sh', HOME: '/' };
    const module = 'module() { shift; echo "$@"; }\n';
    const lines = environmentLines({ kind: 'module', place: ' cuda/12.4  vllm ' });
    expect((await run('/bin/sh', ['-c', `${module}${lines}`], { env })).stdout).toBe('cuda/12.4 vllm\n');
    await expect(run('/bin/sh', ['-c', lines], { env })).rejects.toMatchObject({ code: 1 });
  });
});
