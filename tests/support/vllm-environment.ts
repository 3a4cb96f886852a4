import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ServerLaunch, serverLaunchSchema } from '../../preload/contract';

const STAND_IN = resolve('tests/support/vllm-stand-in.mjs');

/** Makes a virtual environment in which `vllm` is the stand-in; answers with its folder. */
export async function makeVllmEnvironment(folder: string): Promise<string> {
  const environment = join(folder, 'stand-in environment');
  const bin = join(environment, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'activate'), `PATH='${bin}':$PATH\nexport PATH\n`);
  await writeFile(join(bin, 'vllm'), `#!/bin/sh\nexec '${process.execPath}' '${STAND_IN}' "$@"\n`);
  await chmod(join(bin, 'vllm'), 0o755);
  return environment;
}

/** A launch of the stand-in, without GPUs. `behaviour` is explained in the stand-in. */
export function standInLaunch(
  environment: string,
  behaviour = '',
  change: Partial<ServerLaunch> = {},
): ServerLaunch {
  return serverLaunchSchema.parse({
    id: 'qwen',
    name: 'Qwen',
    engine: 'vllm',
    machineId: 'local',
    environment: { kind: 'venv', place: environment },
    weights: 'Qwen/Qwen3-8B',
    model: 'qwen3',
    gpus: 0,
    env: behaviour === '' ? {} : { STAND_IN: behaviour },
    ...change,
  });
}
