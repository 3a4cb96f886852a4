import { setTimeout as sleep } from 'node:timers/promises';
import { driveStudy } from '../harness/drive-study';
import { beginTraining, driveTraining } from '../harness/drive-training';
import { checkJobs, markedJob } from '../harness/marked-job';
import type { FaultContext, Scenario } from '../harness/scenario';
import { settle } from '../harness/settle';
import { mustRun } from '../harness/site';
import type { Workplace } from '../harness/workplace';

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
        const place = await context.site.workplace();
        const lasting = markedJob(place, 'lasting', 3);
        await mustRun(place, lasting.words);
        const training = await beginTraining(place);
        const hasty = [1, 2].map((number) => markedJob(place, `hasty-${number}`, 0.2));
        for (const { words } of hasty) await killedStart(context, place, words);
        made += await driveStudy(context, {
          place,
          faults: Math.min(IN_ONE_STUDY, faults - made),
          strike: async (_, session) => {
            session.kill('SIGKILL');
            return true;
          },
        });
        await checkJobs(context, place, [lasting, ...hasty]);
        // It went on meanwhile, by itself.
        await driveTraining(context, { place, id: training, faults: 0, strike: async () => false });
        await settle(context, place);
      }
    },
  };
}

/** Kills a command that starts a job, at any moment of its second. */
async function killedStart(
  { random, count }: FaultContext,
  place: Workplace,
  words: readonly string[],
): Promise<void> {
  const command = place.start(words);
  await Promise.race([sleep(random.integer(1_200)), command.ended]);
  if (command.isAlive()) count();
  command.kill('SIGKILL');
  await command.ended;
}
