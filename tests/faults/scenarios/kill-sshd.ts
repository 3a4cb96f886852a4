import { setTimeout as sleep } from 'node:timers/promises';
import { driveStudy } from '../harness/drive-study';
import { whyNoLab, withLab } from '../harness/lab-place';
import { checkJobs, markedJob } from '../harness/marked-job';
import type { Scenario } from '../harness/scenario';
import { mustRun } from '../harness/site';

const IN_ONE_STUDY = 9;

/** The model servers and a job run on a machine on loopback; its ssh server, or the sessions of it, are killed. */
export function killSshd(faults: number, seconds: number): Scenario {
  return {
    name: 'sshd',
    title: 'kill -9 of the ssh server',
    simulated: null,
    seconds,
    missing: whyNoLab,
    run: async (context) => {
      for (let made = 0; made < faults && !context.isOver(); ) {
        await withLab(context, async (workspace, { sshd }) => {
          const job = markedJob(workspace, 'there', 4, 'lab');
          await mustRun(workspace, job.words);
          made += await driveStudy(context, {
            workspace,
            args: ['--machine', 'lab'],
            faults: Math.min(IN_ONE_STUDY, faults - made),
            strike: async () => {
              if (context.random.integer(3) > 0) await sshd.killSessions();
              else {
                await sshd.down();
                await sleep(context.random.integer(1_500));
                await sshd.up();
              }
              return true;
            },
          });
          await checkJobs(context, workspace, [job]);
        });
      }
    },
  };
}
