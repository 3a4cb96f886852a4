import { readFile } from 'node:fs/promises';
import { idleGpusText, isPartOfServerOrTraining, type JobView } from '../../preload/contract/index';
import { localTime } from '../../preload/contract/plans/index';
import { shellWords, shortText } from '../base/index';
import { type CliOptions, UsageError } from './cli-options';
import { printGpus } from './gpu-report';
import { type CommandGroup, JSON_OPTION, option, repeated } from './grammar';
import { ask, EXIT, type Host, printRefusal, printStatus } from './host';
import { printLog } from './job-logs';
import { findJob } from './job-lookup';
import { jobText, printJob, printJobs } from './job-report';
import { printProvenance } from './provenance-report';
import { removeEndedJobs } from './remove-ended-jobs';
import { usageCommand } from './usage-command';

export const jobCommands: CommandGroup = {
  name: 'jobs',
  about: 'commands on machines that outlive this program and the connection',
  commands: [
    {
      usage: 'list',
      about: 'list jobs',
      options: [option('--all', 'with those of servers and trainings, which --json always has'), JSON_OPTION],
      run: listJobs,
    },
    {
      usage: 'start <machine> [command...]',
      about: 'start a command: jobs start gpu1 --gpus 2 -- python train.py',
      details: `Write options before "--" and the command after it: everything after "--" is part
of the command. A job that waits for GPUs, or for a machine that
does not answer, starts while a workbench is open. Variables of --env are written
to disk: no secrets.`,
      options: [
        option('--each <file>', 'start a job for each line of this file instead'),
        option('--name <text>', 'its name (default: the command)'),
        option('--folder <dir>', "working folder there (default: the job's own)"),
        repeated('--env <name=value>', 'a variable; repeat it'),
        option('--set-up <line>', 'runs before the command, with its own log'),
        option('--gpus <n>', 'wait for n free GPUs'),
        option('--gpu-ids <ids>', 'wait for these: UUID,UUID'),
        option('--gpu-memory <mib>', 'GPUs with this much free memory, whoever uses them'),
        option('--minutes <n>', 'Slurm: time limit'),
        option('--partition <name>', 'Slurm: partition'),
        option('--account <name>', 'Slurm: account'),
        option('--slurm-options <text>', 'Slurm: further options of sbatch'),
        option('--retry-lost <n>', 'restart it at most n times when it is lost, 0 to 20 (default: 0)'),
        option('--retry-failed <n>', 'restart it at most n times when it fails, 0 to 20 (default: 0)'),
        JSON_OPTION,
      ],
      run: startJob,
    },
    { usage: 'show <job>', about: 'show a job with its timeline', options: [JSON_OPTION], run: showJob },
    {
      usage: 'origin <job> [other]',
      about: 'what made its last start: code, packages, GPUs, weights; with another job: what differs',
      options: [JSON_OPTION],
      run: showOrigin,
    },
    {
      usage: 'gpus <job>',
      about: 'what its GPUs did: use, memory, power and heat',
      options: [option('--csv', 'the samples as CSV'), JSON_OPTION],
      run: async (workbench, options) => {
        const job = await findJob(workbench, options.word(0, 'The job'));
        return job.ok ? printGpus(workbench, job.value, options) : printRefusal(job.error);
      },
    },
    {
      usage: 'logs <job>',
      about: 'print, follow, search or save the log of a job',
      options: [
        option('-f, --follow', 'until the job ends'),
        option('--tail <bytes>', 'only the end of it'),
        option('--set-up-log', 'the log of the set-up'),
        option('--search <text>', 'print the lines that hold this text'),
        option('--limit <n>', 'with --search: at most n lines, 1 to 1000 (default: 200)'),
        option('--out <file>', 'save it to a file'),
        option('--overwrite', 'with --out: replace a file that exists'),
        JSON_OPTION,
      ],
      run: printLog,
    },
    usageCommand,
    {
      usage: 'stop <job>',
      about: 'stop a job',
      options: [JSON_OPTION],
      run: (workbench, options) => changeJob(workbench, options, 'job.stop'),
    },
    {
      usage: 'retry <job>',
      about: 'start a job again',
      options: [JSON_OPTION],
      run: (workbench, options) => changeJob(workbench, options, 'job.retry'),
    },
    {
      usage: 'remove [job]',
      about: 'remove a job that has ended, with its logs',
      options: [
        option('--ended', 'remove all that have ended, except those of servers and trainings'),
        option('--yes', 'with --ended: remove them; without it they are only counted'),
      ],
      run: removeJob,
    },
  ],
};

async function listJobs(workbench: Host, options: CliOptions): Promise<number> {
  const list = await ask(workbench, 'job.probe', {});
  if (!list.ok) return printRefusal(list.error);
  const shown = list.value.filter((job) => !isPartOfServerOrTraining(job));
  const hidden = list.value.length - shown.length;
  if (options.flag('json') || options.flag('all') || hidden === 0) return printJobs(list.value, options);
  printStatus(
    `Jobs of servers and trainings that are not listed: ${hidden}. With them: mars2 jobs list --all`,
  );
  return shown.length === 0 ? EXIT.done : printJobs(shown, options);
}

async function removeJob(workbench: Host, options: CliOptions): Promise<number> {
  if (options.flag('ended')) return removeEndedJobs(workbench, options);
  const view = await findJob(workbench, options.word(0, 'The job'));
  if (!view.ok) return printRefusal(view.error);
  const removed = await ask(workbench, 'job.remove', { jobId: view.value.id });
  return removed.ok ? EXIT.done : printRefusal(removed.error);
}

async function changeJob(
  workbench: Host,
  options: CliOptions,
  command: 'job.stop' | 'job.retry',
): Promise<number> {
  const view = await findJob(workbench, options.word(0, 'The job'));
  if (!view.ok) return printRefusal(view.error);
  return printJob(await ask(workbench, command, { jobId: view.value.id }), options);
}

async function startJob(workbench: Host, options: CliOptions): Promise<number> {
  const machineId = options.word(0, 'The machine');
  const words = options.words.slice(1);
  const list = options.text('each');
  const lines = list === undefined ? [] : await commandLines(list);
  if (words.length === 0 && list === undefined) {
    throw new UsageError('The command is missing: mars2 jobs start MACHINE -- COMMAND ...');
  }
  if (words.length > 0 && list !== undefined) {
    throw new UsageError('The commands come from --each FILE; leave out the command after "--".');
  }
  // One word is a line for the shell, as with ssh; several words are quoted, so that they stay as they are.
  const commandLine = lines[0] ?? (words.length === 1 ? (words[0] ?? '') : shellWords(words));
  const gpuIds = options.text('gpu-ids')?.split(',');
  const request = {
    machineId,
    name: options.text('name') ?? shortText(commandLine, 60),
    commandLine,
    cwd: options.text('folder') ?? null,
    setUp: options.text('set-up') ?? '',
    env: Object.fromEntries(options.all('env').map(variable)),
    resources: {
      gpus: gpuIds?.length ?? options.count('gpus', 0, 64) ?? 0,
      gpuIds: gpuIds ?? null,
      gpuMemoryMib: options.count('gpu-memory', 1, 10_000_000) ?? null,
      minutes: options.count('minutes', 1, 43_200) ?? null,
      partition: options.text('partition') ?? null,
      account: options.text('account') ?? null,
      slurmOptions: options.text('slurm-options') ?? null,
    },
    retry: {
      lost: options.count('retry-lost', 0, 20) ?? 0,
      failed: options.count('retry-failed', 0, 20) ?? 0,
    },
  };
  if (list === undefined) return printJob(await ask(workbench, 'job.start', request), options);
  const started = await ask(workbench, 'job.startMany', { request, commandLines: lines });
  if (!started.ok) return printRefusal(started.error);
  for (const { line, message } of started.value.refused) printStatus(`Command ${line}: ${message}`);
  const code = printJobs(started.value.jobs, options);
  return started.value.refused.length === 0 ? code : EXIT.failed;
}

/** Lines of a file that hold a command; "#" begins a comment. */
async function commandLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  });
  const lines = text.split('\n').map((line) => line.trim());
  const commands = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (commands.length === 0) throw new UsageError(`${path} holds no command.`);
  return commands;
}

function variable(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--env takes NAME=VALUE, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function showJob(workbench: Host, options: CliOptions): Promise<number> {
  const view = await findJob(workbench, options.word(0, 'The job'));
  if (!view.ok) return printRefusal(view.error);
  if (options.flag('json')) return printJob(view, options);
  const job = view.value;
  const lines = [
    `${job.name}  (${job.id} on ${job.machineId})`,
    `  ${job.commandLine}`,
    `  ${jobText(job)}`,
    ...(job.idleGpus === undefined ? [] : [`  Alarm: ${idleGpusText(job.idleGpus)}`]),
    ...job.timeline.map(({ at, what, why }) => `  ${localTime(at)}  ${what}${why === '' ? '' : `: ${why}`}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

async function showOrigin(workbench: Host, options: CliOptions): Promise<number> {
  const job = await findJob(workbench, options.word(0, 'The job'));
  if (!job.ok) return printRefusal(job.error);
  const word = options.words[1];
  const other = word === undefined ? null : await findJob(workbench, word);
  if (other !== null && !other.ok) return printRefusal(other.error);
  const started = ({ id, name }: JobView) => ({ jobId: id, name });
  return printProvenance(
    workbench,
    started(job.value),
    other === null ? null : started(other.value),
    options,
  );
}
