import { isPartOfServerOrTraining, jobHasEnded } from '../../preload/contract/index';
import { type CliOptions, UsageError } from './cli-options';
import { ask, EXIT, type Host, printRefusal, printStatus } from './host';

/** `jobs remove --ended`: counts them, and with --yes removes them; never a server's or a training's. */
export async function removeEndedJobs(workbench: Host, options: CliOptions): Promise<number> {
  if (options.words.length > 0) throw new UsageError('Name a job or type --ended, not both.');
  const list = await ask(workbench, 'job.probe', {});
  if (!list.ok) return printRefusal(list.error);
  const ended = list.value.filter((job) => jobHasEnded(job.state) && !isPartOfServerOrTraining(job));
  if (!options.flag('yes')) {
    printStatus(`Jobs that have ended: ${ended.length}. To remove them: mars2 jobs remove --ended --yes`);
    return EXIT.done;
  }
  for (const { id } of ended) {
    const removed = await ask(workbench, 'job.remove', { jobId: id });
    if (!removed.ok) return printRefusal(removed.error);
  }
  printStatus(`Jobs removed: ${ended.length}.`);
  return EXIT.done;
}
