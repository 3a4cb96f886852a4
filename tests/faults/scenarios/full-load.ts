import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { driveStudy } from '../harness/drive-study';
import { beginTraining, driveTraining } from '../harness/drive-training';
import type { Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';

/** Every core has two other things to do while a study and a training run. */
export function fullLoad(seconds: number): Scenario {
  return {
    name: 'load',
    title: 'all cores are busy, twice over',
    simulated: null,
    seconds,
    run: async (context) => {
      const workspace = await context.site.workspace();
      await context.site.undisturbedStudy();
      await context.site.undisturbedTraining();
      const loops = Array.from({ length: 2 * availableParallelism() }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      );
      for (const _ of loops) context.count();
      try {
        const id = await beginTraining(workspace);
        const none = { faults: 0, strike: async () => false };
        await driveStudy(context, { workspace, ...none });
        await driveTraining(context, { workspace, id, ...none });
      } finally {
        for (const loop of loops) loop.kill('SIGKILL');
      }
      await settle(context, workspace);
    },
  };
}
