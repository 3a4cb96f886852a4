import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Value } from '../../preload/contract';
import { eventually } from './eventually';
import { learnerPython } from './learner';
import type { WorkbenchBench } from './workbench-bench';

const PATIENCE_MS = 900_000;

/** Whether the index that is within reach has the package of a list in resources/llama-cpp: a mirror may lack it. */
export function isWithinReach(list: 'requirements.txt' | 'model-requirements.txt'): boolean {
  if (learnerPython === null) return false;
  const text = readFileSync(resolve('resources/llama-cpp', list), 'utf8');
  const [, name = '', version = ''] = /^([a-z][a-z0-9-]+)==(\S+)/m.exec(text) ?? [];
  const asked = spawnSync(learnerPython, ['-m', 'pip', 'index', 'versions', name], { encoding: 'utf8' });
  return asked.status === 0 && asked.stdout.includes(version);
}

/** Installs it as a user does, and waits for the end. */
export async function installLlamaCpp(
  { ask }: WorkbenchBench,
  withModel: boolean,
): Promise<Value<'server.install'>> {
  const installed = await ask('server.install', { machineId: 'local', withModel });
  const jobId = installed.job?.id;
  await eventually(
    'the end of the installation',
    async () =>
      (await ask('job.probe', {})).find(({ id, state }) => id === jobId && state.kind === 'exited') ?? null,
    PATIENCE_MS,
  );
  return installed;
}
