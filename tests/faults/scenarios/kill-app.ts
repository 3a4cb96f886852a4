import { setTimeout as sleep } from 'node:timers/promises';
import { driveStudy } from '../harness/drive-study';
import { beginTraining, driveTraining } from '../harness/drive-training';
import { checkJobs, markedJob } from '../harness/marked-job';
import type { FaultContext, Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { mustRun } from '../harness/site';
import type { Workspace } from '../harness/workspace';

/** Kills in one data folder: so many that each study still gets ahead. */
const IN_ONE_STUDY = 8;

/** `faults`: how many kills there are to be of commands that search; a few of commands that start jobs come on top. */
export function killApp(faults: number, seconds: number): Scenario {
  return {
    name: 'app',
    title: 'kill -9 of the app',
    simulated: null,
    seconds,
    run: async (context) => {
      for (let made = 0; made < faults && !context.isOver(); ) {
        const workspace = await context.site.workspace();
        const lasting = markedJob(workspace, 'lasting', 3);
        await mustRun(workspace, lasting.words);
        const training = await beginTraining(workspace);
        const hasty = [1, 2].map((number) => markedJob(workspace, `hasty-${number}`, 0.2));
        for (const { words } of hasty) await killedStart(context, workspace, words);
        made += await driveStudy(context, {
          workspace,
          faults: Math.min(IN_ONE_STUDY, faults - made),
          strike: async (_, session) => {
            session.kill('SIGKILL');
            return true;
          },
        });
        await checkJobs(context, workspace, [lasting, ...hasty]);
        // It went on meanwhile, by itself.
        await driveTraining(context, { workspace, id: training, faults: 0, strike: async () => false });
        await settle(context, workspace);
      }
    },
  };
}

/** Kills a command that starts a job, at any moment of its second. */
async function killedStart(
  { random, count }: FaultContext,
  workspace: Workspace,
  words: readonly string[],
): Promise<void> {
  const command = workspace.start(words);
  await Promise.race([sleep(random.integer(1_200)), command.ended]);
  if (command.isAlive()) count();
  command.kill('SIGKILL');
  await command.ended;
}
