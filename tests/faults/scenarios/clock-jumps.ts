import { join, resolve } from 'node:path';
import { driveStudy } from '../harness/drive-study';
import { beginTraining, driveTraining } from '../harness/drive-training';
import { HOUR_MS, jumpingClock } from '../harness/jumping-clock';
import { checkJobs, markedJob } from '../harness/marked-job';
import type { Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { mustRun } from '../harness/site';

const JUMPS_MS = [-10 / 3_600, 1, -1, 24, -24, 24 * 400, -24 * 400].map((hours) => hours * HOUR_MS);

/** The clock jumps back and forth under a study, a training and a job. */
export function clockJumps(studies: number, seconds: number): Scenario {
  return {
    name: 'clock',
    title: 'the clock jumps, both ways',
    simulated:
      "the calendar's clock of all our programs; the system's own, and the times of files, stay right",
    seconds,
    run: async (context) => {
      const { site, random, isOver } = context;
      for (let done = 0; done < studies && !isOver(); done += 1) {
        const clock = await jumpingClock(resolve('.'), join(site.folder, `clock-${done}`));
        const workspace = await site.workspace({ env: clock.env });
        const job = markedJob(workspace, 'timed', 3);
        await mustRun(workspace, job.words);
        const training = await beginTraining(workspace);
        await driveStudy(context, {
          workspace,
          faults: 5,
          strike: async () => {
            await clock.setTo(JUMPS_MS[random.integer(JUMPS_MS.length)] ?? 0);
            return true;
          },
        });
        await checkJobs(context, workspace, [job]);
        await driveTraining(context, { workspace, id: training, faults: 0, strike: async () => false });
        await settle(context, workspace);
      }
    },
  };
}
