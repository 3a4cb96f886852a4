import { readFile } from 'node:fs/promises';
import {
  type JobView,
  jobHasEnded,
  LOCAL_MACHINE,
  type ServerView,
  serverLaunchSchema,
} from '../../preload/contract/index';
import { localTime } from '../../preload/contract/plans/index';
import { type CliOptions, UsageError } from './cli-options';
import { followPreparation } from './follow-job';
import { type Action, type CommandGroup, JSON_OPTION, option } from './grammar';
import { ask, EXIT, type Host, printJson, printRefusal, printStatus } from './host';
import { itemCommand } from './item-command';
import { columns } from './report';
import { findServer } from './server-lookup';
import { withTaskProgress } from './task-progress';

export const serverCommands: CommandGroup = {
  name: 'servers',
  about: 'model servers: launch, watch, measure, stop',
  commands: [
    {
      usage: 'list',
      about: 'list servers, also the last ones that have ended',
      options: [JSON_OPTION],
      run: listServers,
    },
    {
      usage: 'install <engine>',
      about: 'install an engine on a machine: llama.cpp, 11 to 35 MB',
      details: `It runs on the CPU; on a Mac it can use the GPU. Needs Python 3.10 or newer, and GitHub or a package
index within reach: llama.cpp's own release is tried first, then a package (with venv). If a
llama-server is already on the PATH, launches use that one.`,
      options: [
        option('--machine <id>', 'where (default: this computer)'),
        option('--with-model', 'also SmolLM2-135M-Instruct (93 MB), saved as a launch'),
        JSON_OPTION,
      ],
      run: installEngine,
    },
    { usage: 'launches', about: 'print the saved launches as JSON', run: listLaunches },
    {
      usage: 'plan <file>',
      about: 'show the command of a launch (a JSON file) and whether it fits',
      options: [JSON_OPTION],
      run: planLaunch,
    },
    { usage: 'save <file>', about: 'save a launch (a JSON file)', run: saveLaunch },
    {
      usage: 'launch <launch>',
      about: 'start the servers of a launch and wait until each has answered with a token',
      details: `Launches are saved in the window (Servers) or by "mars2 servers save FILE"; "mars2 servers launches"
prints those there are.

Example
  mars2 servers install llama.cpp --with-model && mars2 servers launch smollm2-135m`,
      options: [JSON_OPTION],
      run: launchAndWait,
    },
    { usage: 'stop <server>', about: 'stop a server', run: changeServer('server.stop') },
    { usage: 'restart <server>', about: 'restart a server', run: changeServer('server.restart') },
    {
      usage: 'remove <server>',
      about: 'remove a stopped server from the list',
      run: changeServer('server.remove'),
    },
    {
      usage: 'speed <server>',
      about: 'measure tokens a second and the time to the first token',
      options: [
        option('--concurrency <n,n>', 'requests at once (default: 1,4,16)'),
        option('--tokens <n>', 'tokens of an answer, 1 to 8192 (default: 128)'),
        JSON_OPTION,
      ],
      run: itemCommand('The server', findServer, measureSpeed),
    },
  ],
};

async function listServers(workbench: Host, options: CliOptions): Promise<number> {
  const list = await ask(workbench, 'server.list', {});
  if (!list.ok) return printRefusal(list.error);
  const code = printServers(list.value, options);
  const jobs = await ask(workbench, 'job.list', {});
  const listed = new Set(list.value.map(({ jobId }) => jobId));
  const endedCount = jobs.ok
    ? jobs.value.filter((job) => isEndedServer(job) && !listed.has(job.id)).length
    : 0;
  if (endedCount > 0)
    printStatus(
      `Servers of earlier starts that are no longer listed: ${endedCount}. Their logs: mars2 jobs list --all`,
    );
  return code;
}

const isEndedServer = ({ purpose, state }: JobView): boolean =>
  purpose === 'model-server' && jobHasEnded(state);

async function listLaunches(workbench: Host): Promise<number> {
  const list = await ask(workbench, 'launch.list', {});
  if (!list.ok) return printRefusal(list.error);
  return printJson(list.value);
}

async function installEngine(workbench: Host, options: CliOptions): Promise<number> {
  if (options.word(0, 'The engine') !== 'llama.cpp')
    throw new UsageError('Only llama.cpp can be installed: mars2 servers install llama.cpp');
  const installed = await ask(workbench, 'server.install', {
    machineId: options.text('machine') ?? LOCAL_MACHINE,
    withModel: options.flag('with-model'),
  });
  if (!installed.ok) return printRefusal(installed.error);
  const { program, launchId, job } = installed.value;
  const code = await followPreparation(workbench, job, 'llama.cpp');
  if (code !== EXIT.done) return code;
  if (launchId !== null) printStatus(`Start the model with: mars2 servers launch ${launchId}`);
  if (options.flag('json')) return printJson({ program, launchId, jobId: job?.id ?? null });
  process.stdout.write(`${program}\n`);
  return EXIT.done;
}

async function saveLaunch(workbench: Host, options: CliOptions): Promise<number> {
  const saved = await ask(workbench, 'launch.save', await launchFile(options.word(0, 'The file')));
  if (!saved.ok) return printRefusal(saved.error);
  printStatus(`Saved as ${saved.value.id}. Start it with: mars2 servers launch ${saved.value.id}`);
  return EXIT.done;
}

async function planLaunch(workbench: Host, options: CliOptions): Promise<number> {
  const plan = await ask(workbench, 'server.plan', await launchFile(options.word(0, 'The file')));
  if (!plan.ok) return printRefusal(plan.error);
  if (options.flag('json')) printJson(plan.value);
  else process.stdout.write(`${plan.value.commandLine}\n`);
  printStatus(plan.value.fit.text);
  for (const problem of plan.value.problems) printStatus(problem);
  return plan.value.problems.length === 0 ? EXIT.done : EXIT.failed;
}

const CHANGED = {
  'server.stop': 'Stopped',
  'server.restart': 'Restarted',
  'server.remove': 'Removed',
} as const;

function changeServer(command: 'server.stop' | 'server.restart' | 'server.remove'): Action {
  return itemCommand('The server', findServer, async (workbench, { id }) => {
    const changed = await ask(workbench, command, { serverId: id });
    if (!changed.ok) return printRefusal(changed.error);
    printStatus(`${CHANGED[command]} ${id}.`);
    return EXIT.done;
  });
}

async function measureSpeed(
  workbench: Host,
  { id }: { readonly id: string },
  options: CliOptions,
): Promise<number> {
  const rows = await withTaskProgress(workbench, 'speed-test', () =>
    ask(workbench, 'server.speedTest', {
      serverId: id,
      concurrencies: options.counts('concurrency', 1, 10_000) ?? [1, 4, 16],
      tokens: options.count('tokens', 1, 8_192) ?? 128,
    }),
  );
  if (!rows.ok) return printRefusal(rows.error);
  if (options.flag('json')) return printJson(rows.value);
  const lines = rows.value.map((row) => [
    String(row.concurrency),
    row.tokensPerSecond.toFixed(1),
    row.firstTokenMs === null ? '-' : row.firstTokenMs.median.toFixed(0),
    row.firstTokenMs === null ? '-' : row.firstTokenMs.p95.toFixed(0),
    String(row.failures),
  ]);
  for (const { concurrency, failureReason } of rows.value)
    if (failureReason !== null) printStatus(`Failures with ${concurrency} at once: ${failureReason}`);
  const titles = ['at once', 'tokens/s', 'first token, median ms', 'p95 ms', 'failures'];
  process.stdout.write(`${columns(titles, lines).join('\n')}\n`);
  return EXIT.done;
}

async function launchFile(path: string) {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = serverLaunchSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(`${path} is not a launch: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

/** Prints each stage as it is reached; ends when all are ready or one has failed. The servers continue. */
async function launchAndWait(workbench: Host, options: CliOptions): Promise<number> {
  const launched = await ask(workbench, 'server.launch', { launchId: options.word(0, 'The launch') });
  if (!launched.ok) return printRefusal(launched.error);
  const { serverIds } = launched.value;
  const printedStages = new Set<string>();
  for (;;) {
    const list = await ask(workbench, 'server.list', {});
    if (!list.ok) return printRefusal(list.error);
    const mine = list.value.filter(({ id }) => serverIds.includes(id));
    for (const { id, stages } of mine) {
      for (const { name, at } of stages) {
        if (printedStages.has(`${id} ${name} ${at}`)) continue;
        printedStages.add(`${id} ${name} ${at}`);
        printStatus(`${localTime(at)}  ${mine.length > 1 ? `${id.slice(0, 8)}  ` : ''}${name}`);
      }
    }
    const failed = mine.filter(({ state }) => state.kind === 'failed' || state.kind === 'stopped');
    if (failed.length > 0 || mine.every(({ state }) => state.kind === 'ready')) {
      printServers(mine, options);
      for (const { diagnosis } of failed)
        if (diagnosis !== null) printStatus([diagnosis.cause, diagnosis.todo, ...diagnosis.lines].join('\n'));
      return failed.length > 0 ? EXIT.failed : EXIT.done;
    }
    await new Promise((done) => setTimeout(done, 300));
  }
}

function printServers(list: readonly ServerView[], options: CliOptions): number {
  if (options.flag('json')) return printJson(list);
  if (list.length === 0) printStatus('There are no servers.');
  const rows = list.map(({ id, kind, machineId, model, state }) => [
    id.slice(0, 8),
    kind,
    machineId ?? '-',
    state.kind === 'ready' ? state.baseUrl : state.kind === 'starting' ? state.stage : state.kind,
    model,
  ]);
  if (rows.length > 0) {
    process.stdout.write(`${columns(['server', 'kind', 'machine', 'state', 'model'], rows).join('\n')}\n`);
  }
  return EXIT.done;
}
