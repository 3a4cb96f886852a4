import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomStream } from '../../../main/base';
import { beginTraining, driveTraining } from '../harness/drive-training';
import { signalAll } from '../harness/processes';
import type { Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';

/** Trainings at a time: a killed one is started again by itself only after some seconds, in which the others train. */
const AT_ONCE = 4;

export function killTrainer(faults: number, seconds: number): Scenario {
  return {
    name: 'trainer',
    title: 'kill -9 of the trainer',
    simulated: null,
    seconds,
    run: async (context) => {
      const one = async (seed: number): Promise<void> => {
        const workspace = await context.site.workspace();
        const id = await beginTraining(workspace);
        const own = { ...context, random: randomStream('trainer', seed) };
        await driveTraining(own, { workspace, id, faults: faults / AT_ONCE, strike: killHolder });
        await settle(context, workspace);
      };
      await context.site.undisturbedTraining();
      const seeds = Array.from({ length: AT_ONCE }, () => context.random.integer(1_000_000));
      await Promise.all(seeds.map(one));
    },
  };
}

/** The lock of a training's folder names the process that trains. */
export async function killHolder(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'workbench.lock'), 'utf8').catch(() => '');
  if (text === '') return false;
  const { pid } = JSON.parse(text) as { pid: number };
  return signalAll([pid], 'SIGKILL') === 1;
}
