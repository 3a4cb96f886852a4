import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  idleGpusLabel,
  idleGpusText,
  isPartOfServerOrTraining,
  type JobLog,
  type JobView,
  jobHasEnded,
  logCopyText,
  type Refusal,
  wasStopped,
} from '../../preload/contract/index';
import { assertNever, type Result, shellWords } from '../base/index';
import { type CliOptions, UsageError } from './cli-options';
import { findById } from './find-by-id';
import { textOfPiece } from './follow-job';
import { printGpus } from './gpu-report';
import { type CommandGroup, JSON_OPTION, option, repeated } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { printProvenance } from './provenance-report';
import { removeEndedJobs } from './remove-ended-jobs';
import { columns, localTime } from './report';
import { withTaskProgress } from './task-progress';
import { usageCommand } from './usage-command';

/** Bytes of a log read at once. */
const PIECE_BYTES = 1_048_576;
/** Milliseconds between two reads of a log that is followed. */
const FOLLOW_EVERY_MS = 300;

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
      run: logs,
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
  return printed(await ask(workbench, command, { jobId: view.value.id }), options);
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
    name: options.text('name') ?? commandLine.slice(0, 60),
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
  if (list === undefined) return printed(await ask(workbench, 'job.start', request), options);
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
  if (options.flag('json')) return printed(view, options);
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

/** The job with this id, with the only id that begins so, or with this name if no other has it. */
export async function findJob(workbench: Host, id: string): Promise<Result<JobView, Refusal>> {
  return findById(await ask(workbench, 'job.probe', {}), id, {
    noun: 'job',
    list: 'mars2 jobs list',
    nameOf: ({ name }) => name,
  });
}

async function logs(workbench: Host, options: CliOptions): Promise<number> {
  const view = await findJob(workbench, options.word(0, 'The job'));
  if (!view.ok) return printRefusal(view.error);
  const jobId = view.value.id;
  const log: JobLog = options.flag('set-up-log') ? 'set-up' : 'output';
  const text = options.text('search');
  if (text !== undefined) return searchLog(workbench, { jobId, log, text }, options);
  const out = options.text('out');
  if (out !== undefined) {
    if (existsSync(out) && !options.flag('overwrite')) {
      throw new UsageError(`${out} exists already. Choose another name, or replace it with --overwrite.`);
    }
    const saved = await withTaskProgress(workbench, 'log-download', () =>
      ask(workbench, 'job.saveLog', { jobId, log, path: resolve(out) }),
    );
    if (!saved.ok) return printRefusal(saved.error);
    printStatus(`${saved.value.bytes} bytes written to ${saved.value.path}`);
    return EXIT.done;
  }
  return followLog(workbench, { jobId, log }, options);
}

async function searchLog(
  workbench: Host,
  query: { readonly jobId: string; readonly log: JobLog; readonly text: string },
  options: CliOptions,
): Promise<number> {
  const view = await ask(workbench, 'job.searchLog', {
    ...query,
    limit: options.count('limit', 1, 1_000) ?? 200,
  });
  if (!view.ok) return printRefusal(view.error);
  if (options.flag('json')) printJson(view.value);
  else for (const { line, text } of view.value.matches) process.stdout.write(`${line}: ${text}\n`);
  if (!view.value.isComplete) printStatus('There are more; give --limit or a longer text.');
  return view.value.matches.length > 0 ? EXIT.done : EXIT.failed;
}

/** Prints the log from the requested position; with --follow until the job has ended. */
async function followLog(
  workbench: Host,
  source: { readonly jobId: string; readonly log: JobLog },
  options: CliOptions,
): Promise<number> {
  const tail = options.count('tail', 1, Number.MAX_SAFE_INTEGER);
  let offset = tail === undefined ? 0 : -tail;
  let silentSince = '';
  let copiedAt = '';
  for (;;) {
    // Asks whether the job has ended before it reads the log, so that the last read has everything.
    const job = await findJob(workbench, source.jobId);
    const ended = job.ok && jobHasEnded(job.value.state);
    // Who follows must not miss what a copy lacks, and waits for the machine.
    const orCopy = ended || !options.flag('follow');
    const piece = await ask(workbench, 'job.readLog', { ...source, offset, maxBytes: PIECE_BYTES, orCopy });
    if (!piece.ok) {
      if (piece.error.code !== 'unreachable' || !options.flag('follow')) return printRefusal(piece.error);
      if (silentSince === '') printStatus(piece.error.message);
      silentSince = piece.error.message;
      await new Promise((done) => setTimeout(done, FOLLOW_EVERY_MS * 10));
      continue;
    }
    const { copy } = piece.value;
    if (copy !== undefined && copiedAt !== copy.at)
      printStatus(`${logCopyText(copy)} Copied: ${localTime(copy.at)}.`);
    copiedAt = copy?.at ?? '';
    silentSince = '';
    await write(textOfPiece(piece.value));
    offset = piece.value.nextOffset;
    if (piece.value.nextOffset < piece.value.size && piece.value.text !== '') continue;
    if (ended || !options.flag('follow')) return EXIT.done;
    await new Promise((done) => setTimeout(done, FOLLOW_EVERY_MS));
  }
}

/** Waits where the reader (a pager, a full pipe) is slow. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await new Promise((resume) => process.stdout.once('drain', resume));
}

function printed(result: Result<JobView, Refusal>, options: CliOptions): number {
  if (!result.ok) return printRefusal(result.error);
  if (options.flag('json')) printJson(result.value);
  else process.stdout.write(`${result.value.id}  ${result.value.name}: ${jobText(result.value)}\n`);
  return EXIT.done;
}

function printJobs(list: readonly JobView[], options: CliOptions): number {
  if (options.flag('json')) return printJson(list);
  if (list.length === 0)
    printStatus('There are no jobs. Start one with: mars2 jobs start MACHINE -- COMMAND');
  const rows = list.map((job) => [
    job.id.slice(0, 8),
    job.machineId,
    String(job.gpuIds.length || job.resources.gpus),
    jobText(job),
    job.name,
  ]);
  if (rows.length > 0) {
    process.stdout.write(`${columns(['job', 'machine', 'GPUs', 'state', 'name'], rows).join('\n')}\n`);
  }
  return EXIT.done;
}

function jobText(job: JobView): string {
  const { state } = job;
  if (wasStopped(job)) return 'stopped';
  switch (state.kind) {
    case 'queued':
      return `queued: ${state.why}`;
    case 'starting':
      return 'starting';
    case 'running':
      return job.idleGpus === undefined ? 'running' : `running, ${idleGpusLabel(job.idleGpus)}`;
    case 'exited':
      return state.code === 0 ? 'done' : state.code === null ? 'killed' : `failed with code ${state.code}`;
    case 'lost':
      return `lost: ${state.why}`;
    case 'unknown':
      return `unknown since ${state.since} (${state.last} when last seen)`;
    default:
      return assertNever(state);
  }
}
