import { type DoctorCheck, LOCAL_MACHINE } from '../../preload/contract/index';
import { appLog } from '../app/index';
import { type CliOptions, UsageError } from './cli-options';
import { type CommandSpec, JSON_OPTION, option } from './grammar';
import { ask, dataFolderOf, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { withTaskProgress } from './task-progress';

export const doctorCommand: CommandSpec = {
  usage: 'doctor [machine]',
  about: 'check what jobs, servers and grading need on a machine, and say what to install',
  details: `With --learner it checks instead whether language models can be trained there: PyTorch,
devices, memory, disk, one step of a tiny model. That takes seconds.

Exit code 1 when a check is bad.`,
  options: [
    option('--learner', 'check what trainings of language models need'),
    option('--machine <id>', 'the machine (default: this computer)'),
    option('--python <path>', 'with --learner: this Python there (default: the prepared one, else python3)'),
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
  const learner = isLearner ? { python } : null;
  const checked = await withTaskProgress(workbench, 'doctor', () =>
    ask(workbench, 'machine.doctor', { machineId, learner }),
  );
  if (!checked.ok) return printRefusal(checked.error);
  if (options.flag('json')) printJson(checked.value);
  else process.stdout.write(doctorText(checked.value));
  if (!isLearner) {
    const where = machineId === LOCAL_MACHINE ? '' : ` ${machineId}`;
    printStatus(`Whether language models can be trained there: mars2 doctor${where} --learner`);
  }
  printStatus(`The workbench's own log: ${appLog(dataFolderOf(options)).path}`);
  return checked.value.some(({ state }) => state === 'bad') ? EXIT.failed : EXIT.done;
}

const MARKS: Readonly<Record<DoctorCheck['state'], string>> = {
  good: 'ok     ',
  warning: 'warning',
  bad: 'BAD    ',
  unknown: 'unknown',
};

function doctorText(checks: readonly DoctorCheck[]): string {
  const lines = checks.flatMap(({ state, title, found, todo }) => [
    `${MARKS[state]}  ${title}: ${found}`,
    ...(todo === null ? [] : todo.split('\n').map((line) => `           ${line}`)),
  ]);
  return `${lines.join('\n')}\n`;
}
