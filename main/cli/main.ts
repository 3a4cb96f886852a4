import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AppLog,
  appLog,
  type ControlClient,
  callThrough,
  connectControlSocket,
  connectMachineService,
  controlSocketOf,
  eventsThrough,
  keepFilesPrivate,
  openWorkbench,
  otherVersionText,
  ownNodeRuntime,
  takeEnvironmentSecrets,
  upgradeOn,
  waitForDataFolder,
} from '../app/index';
import { endOnUnhandledErrors, ok, type Result } from '../base/index';
import type { LockRefusal } from '../storage/index';
import { type CliOptions, UsageError } from './cli-options';
import { connectedMachine } from './connect-machine';
import { type Parsed, parseCommandLine } from './grammar';
import {
  absentDataFolder,
  dataFolderOf,
  EXIT,
  type Host,
  printRefusal,
  printStatus,
  typedCommand,
} from './host';
import { waitForClosedOutput } from './output-readers';
import { commandGroups, mainCommands } from './program';
import { ownVersion, UPGRADE } from './service-commands';
import { showControls } from './terminal-output';

const project = join(import.meta.dirname, '..', '..');
// Before anything is written or started.
keepFilesPrivate();
const secrets = takeEnvironmentSecrets(process.env);

const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };

type Action = Extract<Parsed, { kind: 'command' }>['action'];
type Closing = { readonly close: () => Promise<void> };

/** A window under load may need this long until it answers. */
const OPENING_MS = 20_000;

/** The workbench that has the folder open, if any; else one of our own. */
async function openHost(dataDir: string): Promise<Result<Host & Closing, LockRefusal>> {
  const path = await controlSocketOf(dataDir);
  const running = path.ok ? await connectControlSocket(path.value) : null;
  if (running !== null) {
    if (!running.ok) return running;
    if (running.value.about().kind === 'service')
      printStatus('Through the background service on this computer.');
    printOtherVersion(running.value, UPGRADE);
    return ok({ ...running.value, outlivesCommand: true });
  }
  const opened = await openWorkbench({
    dataDir,
    project,
    appVersion: version,
    kind: 'terminal',
    command: typedCommand(process.argv.slice(2)),
    nodeRuntime: ownNodeRuntime(process),
    secrets,
    reconnects: false,
    onLockLost: (refusal) => process.exit(printRefusal(refusal)),
  });
  if (opened.ok && opened.value.damage !== null) printStatus(opened.value.damage);
  if (opened.ok && opened.value.privacy !== null) printStatus(opened.value.privacy);
  return opened;
}

type Run = (here: Host) => Promise<number>;

/** A command in the service of a machine, through the connection of this computer's workbench. */
function runThrough(machineId: string, action: Action, options: CliOptions): Run {
  const onMachine =
    'standalone' in action
      ? action.onMachine
      : (here: Host) => runOnMachine(here, machineId, action, options);
  if (onMachine === undefined)
    throw new UsageError('This command works on this computer only: leave --service out.');
  return async (here) => {
    const machine = await connectedMachine(here, machineId);
    return typeof machine === 'number' ? machine : onMachine(here, machineId, options);
  };
}

async function runOnMachine(
  here: Host,
  machineId: string,
  { run }: Extract<Action, { run: unknown }>,
  options: CliOptions,
): Promise<number> {
  const client = await connectMachineService(here.call, machineId);
  if (!client.ok) return printRefusal(client.error);
  const { name, connection } = client.value;
  printStatus(`Through the background service on ${name}.`);
  printOtherVersion(connection, upgradeOn(machineId));
  const call = callThrough(connection.call, here.call, { machineId, name });
  const { events, dispose } = eventsThrough(connection.events, here.events, call);
  try {
    // Its forwards end with the workbench of this computer.
    const { outlivesCommand = false } = here;
    return await run({ call, events, outlivesCommand }, options);
  } finally {
    dispose();
    await connection.close();
  }
}

/** Every command says which other version of the workbench it speaks to. */
function printOtherVersion({ about }: ControlClient, upgrade: string): void {
  const text = otherVersionText(about(), ownVersion(project, version), upgrade);
  if (text !== null) printStatus(text);
}

/** `readerLeft`: settles with the exit code when nobody reads the output any more. */
async function main(words: readonly string[], readerLeft: Promise<number>): Promise<number> {
  const parsed = parseCommandLine(words, { version, mainCommands, commandGroups });
  if (parsed.kind === 'help') {
    process.stdout.write(parsed.text);
    return EXIT.done;
  }
  if (parsed.kind === 'usage-error') {
    process.stderr.write(parsed.text);
    return EXIT.usage;
  }
  const { action, options, usage, verb } = parsed;
  try {
    const dataDir = dataFolderOf(options);
    const absent = absentDataFolder(verb, options);
    if (absent !== null) return printRefusal(absent);
    log = appLog(dataDir);
    const machineId = options.text('service');
    let run: Run;
    if (machineId !== undefined) run = runThrough(machineId, action, options);
    else if ('run' in action) run = (here) => action.run(here, options);
    else {
      const program = { project, dataDir, version, secrets };
      return await Promise.race([action.standalone(options, program), readerLeft]);
    }
    const host = await waitForDataFolder(() => openHost(dataDir), OPENING_MS);
    if (!host.ok) return printRefusal(host.error);
    try {
      return await Promise.race([run(host.value), readerLeft]);
    } finally {
      await host.value.close();
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printStatus(`${error.message}\n\n${usage}`);
    return EXIT.usage;
  }
}

/** Of the command's data folder, once that is known. */
let log: AppLog | null = null;
endOnUnhandledErrors(process, {
  program: 'The command',
  next: () =>
    `Type it again; what was interrupted goes on with "mars2 resume".${log === null ? '' : ` The details are in the log: ${log.path}. To report it: mars2 doctor --report FILE.`}`,
  log: (error) => log?.write('error', 'mars2', error),
});
const streams = [process.stdout, process.stderr];
for (const stream of streams) showControls(stream);
const readerLeft = waitForClosedOutput(streams);
process.exitCode = await main(process.argv.slice(2), readerLeft);
// Without a reader, a command that follows something would never end.
void readerLeft.then(() => process.exit());
