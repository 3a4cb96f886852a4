import { type CliOptions, UsageError } from './cli-options';
import { followPreparation } from './follow-job';
import { ask, EXIT, type Host, printJson, printRefusal } from './host';

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
  const code = await followPreparation(workbench, job, 'The environment');
  if (code !== EXIT.done) return code;
  if (options.flag('json')) return printJson({ python, jobId: job?.id ?? null });
  process.stdout.write(`${python}\n`);
  return EXIT.done;
}
