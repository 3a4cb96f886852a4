import { resolve } from 'node:path';
import { diagnosticsPartIdSchema, LOCAL_MACHINE } from '../../preload/contract/index';
import { appLog, doctorText } from '../app/index';
import { type CliOptions, UsageError } from './cli-options';
import { type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, dataFolderOf, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { writeProblemReport } from './problem-report';
import { withTaskProgress } from './task-progress';

const PARTS = diagnosticsPartIdSchema.options;

export const doctorCommand: CommandSpec = {
  usage: 'doctor [machine]',
  about: 'check what jobs, servers and grading need on a machine, and say what to install',
  details: `With --learner it checks instead whether language models can be trained there: PyTorch,
devices, memory, disk, one step of a tiny model. That takes seconds.

With --report it writes a file for a report of a problem instead: versions, sizes of
the data folder, machines, what runs, what the doctor finds, the latest messages
and the app's log. Contents of studies are left out, known names and keys hidden; a
quoted message can still hold others, so read it: what was written is printed.
Nothing is sent anywhere.

Exit code 1 when a check is bad, or the file cannot be written.`,
  options: [
    option('--learner', 'check what trainings of language models need'),
    option('--machine <id>', 'the machine (default: this computer)'),
    option('--python <path>', 'with --learner: this Python there (default: the prepared one, else python3)'),
    option('--report <file>', 'write a report of a problem to this file'),
    option('--note <text>', 'with --report: what you did, and what happened'),
    option('--without <parts>', `with --report: parts to leave out, any of ${PARTS.join(', ')}`),
    option('--overwrite', 'with --report: replace a file that exists'),
    JSON_OPTION,
  ],
  run: doctor,
};

async function doctor(workbench: Host, options: CliOptions): Promise<number> {
  const [word] = options.words;
  const named = options.text('machine');
  if (word !== undefined && named !== undefined) throw new UsageError('Name the machine once.');
  const machineId = word ?? named ?? LOCAL_MACHINE;
  const python = options.text('python') ?? null;
  const isLearner = options.flag('learner');
  if (python !== null && !isLearner) throw new UsageError('--python belongs to --learner.');
  const report = options.text('report');
  if (report !== undefined) {
    if (isLearner) throw new UsageError('--report and --learner are two commands.');
    return writeProblemReport(workbench, { path: resolve(report), machineId, options });
  }
  const stray = ['note', 'without', 'overwrite'].find((name) => options.text(name) ?? options.flag(name));
  if (stray !== undefined) throw new UsageError(`--${stray} belongs to --report.`);
  const learner = isLearner ? { python } : null;
  const checked = await withTaskProgress(
    workbench,
    'doctor',
    () => ask(workbench, 'machine.doctor', { machineId, learner }),
    { inLogs: false },
  );
  if (!checked.ok) return printRefusal(checked.error);
  if (options.flag('json')) printJson(checked.value);
  else process.stdout.write(`${doctorText(checked.value)}\n`);
  if (!isLearner) {
    const where = machineId === LOCAL_MACHINE ? '' : ` ${machineId}`;
    printStatus(`Whether language models can be trained there: mars2 doctor${where} --learner`);
  }
  printStatus(`The workbench's own log: ${appLog(dataFolderOf(options)).path}`);
  return checked.value.some(({ state }) => state === 'bad') ? EXIT.failed : EXIT.done;
}
