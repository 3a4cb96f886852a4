import { type CliOptions, UsageError } from './cli-options';
import { followJob } from './follow-job';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';

/** "machines prepare": follows the job that makes the learner's environment, then prints the path of its Python. */
export async function prepareMachine(workbench: Host, options: CliOptions): Promise<number> {
  if (!options.flag('learner'))
    throw new UsageError('Name what to prepare: mars2 machines prepare ID --learner');
  const prepared = await ask(workbench, 'machine.prepareLearner', {
    machineId: options.word(0, 'The machine'),
    python: options.text('python') ?? null,
  });
  if (!prepared.ok) return printRefusal(prepared.error);
  const { python, job } = prepared.value;
  if (job === null) printStatus('The environment is there already.');
  else {
    printStatus(
      `Job ${job.id.slice(0, 8)} makes it; its log: mars2 jobs logs ${job.id.slice(0, 8)} --follow`,
    );
    const end = await followJob(workbench, job.id, (text) => process.stderr.write(text));
    if (!end.ok) return printRefusal(end.error);
    if (end.value.kind !== 'exited' || end.value.code !== 0) {
      printStatus('The environment was not made; the reason is above.');
      return EXIT.failed;
    }
  }
  if (options.flag('json')) return printJson({ python, jobId: job?.id ?? null });
  process.stdout.write(`${python}\n`);
  return EXIT.done;
}
