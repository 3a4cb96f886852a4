import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually';
import { HOUR_MS, jumpingClock } from '../harness/jumping-clock';
import { whyNoLab, withLab } from '../harness/lab-place';
import { checkJobs, markedJob } from '../harness/marked-job';
import type { Scenario } from '../harness/scenario';
import { mustRun } from '../harness/site';

/** A machine cannot be reached for an hour while a job on it runs to its end; somebody follows its log all the time. */
export function machineAway(seconds: number): Scenario {
  return {
    name: 'away',
    title: 'a machine is gone for an hour',
    simulated: 'the hour, by the clock of our programs; the ssh server is really gone, for seconds',
    seconds,
    missing: whyNoLab,
    run: async (context) => {
      const { site, check, count } = context;
      const clock = await jumpingClock(resolve('.'), join(site.folder, 'clock-away'));
      await withLab(
        context,
        async (workspace, { sshd }) => {
          const job = markedJob(workspace, 'far', 3, 'lab');
          const view = JSON.parse(await mustRun(workspace, job.words)) as { id: string };
          const log = markedLog();
          const printing = JSON.parse(
            await mustRun(workspace, [
              'jobs',
              'start',
              'lab',
              '--name',
              'printing',
              '--json',
              '--',
              log.line,
            ]),
          ) as { id: string };
          const following = workspace.start(['jobs', 'logs', printing.id, '-f']);
          await sleep(1_500);
          await sshd.down();
          count();
          await clock.setTo(HOUR_MS);
          const said = await eventually(
            'what the one who follows is told',
            async () => {
              const text = await following.said();
              return text.trim() === '' ? null : text;
            },
            60_000,
          ).catch(() => '');
          check('words', /lab/i.test(said) ? null : `who follows a job there is told "${said}"`);
          // A second command, while the machine is away.
          const list = await workspace.run(['jobs', 'list']);
          check(
            'words',
            /unknown/.test(list.out) ? null : `jobs list shows "${(list.out + list.err).slice(0, 300)}"`,
          );
          await eventually('the end of the job there', async () =>
            (await readFile(job.file, 'utf8').catch(() => '')).includes('end'),
          );
          await sshd.up();
          const end = await following.ended;
          check(
            'kept',
            end.out === log.text && end.code === 0
              ? null
              : `the log that was followed ends with ${end.code} and is "${end.out.slice(0, 300)}"`,
          );
          const shown = await workspace.run(['jobs', 'show', view.id, '--json']);
          check('kept', shown.code === 0 ? null : `the job is not shown: ${shown.err.slice(0, 300)}`);
          await checkJobs(context, workspace, [job]);
        },
        clock.env,
      );
    },
  };
}

/** A command that prints a line every fifth of a second, for longer than the machine is away at first. */
function markedLog(): { readonly line: string; readonly text: string } {
  const numbers = Array.from({ length: 20 }, (_, at) => at + 1);
  return {
    line: `for i in ${numbers.join(' ')}; do echo line $i; sleep 0.2; done`,
    text: numbers.map((number) => `line ${number}\n`).join(''),
  };
}
