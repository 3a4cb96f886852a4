import { once } from 'node:events';
import type { ServiceInfo } from '../../preload/contract/index';
import { localTime } from '../../preload/contract/plans/index';
import {
  controlSocketOf,
  createServiceKeys,
  folderState,
  limitServiceLog,
  type OwnVersion,
  openSocket,
  openWorkbench,
  otherVersionText,
  ownNodeRuntime,
  programVersion,
  type Registration,
  registrationOf,
  restartService,
  serviceLog,
  serviceProgram,
  startService,
  stopService,
} from '../app/index';
import type { CliOptions } from './cli-options';
import { type CommandGroup, JSON_OPTION, option, type StandaloneAction } from './grammar';
import { EXIT, printJson, printRefusal, printStatus } from './host';
import { startOnMachine, statusOfMachine, stopOnMachine, unfinishedText } from './service-on-machine';

export const serviceCommands: CommandGroup = {
  name: 'service',
  about: 'the workbench without a window: work goes on when the window is closed',
  commands: [
    {
      usage: 'start',
      about: 'start it, and with this computer from now on',
      options: [option('--temporary', 'until this computer restarts: register it nowhere')],
      details: `Queues, retries, searches, reproductions and notifications go on without a window.
The window and all commands of this data folder use the service while it runs.
It starts with this computer by systemd (as your own service, with linger) or, without it,
by your crontab. It is started again when it was killed. No root is needed.
With --service MACHINE the workbench is first copied to that machine; a service of another
version there gives its work to this one.`,
      standalone: start,
      onMachine: startOnMachine,
    },
    {
      usage: 'stop',
      about: 'end it, and do not start it with this computer any more',
      details: 'Jobs continue. Studies pause, and continue when the service starts again.',
      standalone: stop,
      onMachine: stopOnMachine,
    },
    {
      usage: 'restart',
      about: 'end it and start it with this version: jobs and studies go on',
      standalone: restart,
    },
    {
      usage: 'status',
      about: 'does it run, since when, and what waits',
      options: [JSON_OPTION],
      standalone: status,
      onMachine: statusOfMachine,
    },
    {
      usage: 'run',
      about: 'be the service, in this terminal, until Ctrl+C',
      details:
        'This is what systemd and cron start; for a first try, "mars2 service start --temporary" is better.',
      standalone: run,
    },
    {
      usage: 'connect',
      about: 'pass standard input and output on to the service, for a window on another computer',
      standalone: connect,
    },
  ],
};

/** What brings a service to this version. */
export const UPGRADE = 'mars2 service restart';
/** Of this program, for comparing. */
export const ownVersion = (project: string, version: string): OwnVersion => ({
  version: programVersion(project, version),
  name: 'this command',
});
const HOUR_MS = 3_600_000;

type Program = Parameters<StandaloneAction>[1];

async function start(options: CliOptions, program: Program): Promise<number> {
  const registers = !options.flag('temporary');
  const started = await startService(program.dataDir, serviceProgram(program.project, program.dataDir), {
    registers,
  });
  if (!started.ok) return printRefusal(started.error);
  const { info, registration, wasRunning } = started.value;
  printStatus(
    wasRunning
      ? `The service runs already: ${aboutProcess(info)}.`
      : `The service runs: ${aboutProcess(info)}.`,
  );
  printStatus(registers ? REGISTERED[registration ?? 'none'] : 'It ends with this computer.');
  printStatus(`Data folder: ${program.dataDir}\nOutput: ${serviceLog(program.dataDir)}`);
  return EXIT.done;
}

const REGISTERED: Readonly<Record<NonNullable<Registration> | 'none', string>> = {
  systemd: 'It starts with this computer: systemd runs it as your own service.',
  cron: 'It starts with this computer: your crontab has a line for it.',
  none: 'It does not start with this computer: neither systemd for users nor crontab was found. After a restart, type this again.',
};

async function stop(_options: unknown, { dataDir }: Program): Promise<number> {
  const stopped = await stopService(dataDir, { forGood: true });
  if (!stopped.ok) return printRefusal(stopped.error);
  printStatus(stopped.value.wasRunning ? 'The service has ended. Jobs continue.' : 'No service was running.');
  return EXIT.done;
}

async function restart(_options: unknown, program: Program): Promise<number> {
  const { dataDir, project } = program;
  const restarted = await restartService(dataDir, serviceProgram(project, dataDir));
  if (!restarted.ok) return printRefusal(restarted.error);
  printStatus(`The service runs: ${aboutProcess(restarted.value)}.`);
  return EXIT.done;
}

async function status(options: CliOptions, { project, dataDir, version }: Program): Promise<number> {
  const state = await folderState(dataDir);
  const registration = await registrationOf(dataDir);
  if (state.kind === 'other') return printRefusal(state.refusal);
  const info = state.kind === 'open' ? state.info : null;
  const isRunning = info?.kind === 'service';
  if (options.flag('json')) {
    printJson({ running: isRunning, startsWithComputer: registration, dataFolder: dataDir, openBy: info });
    return isRunning ? EXIT.done : EXIT.missing;
  }
  if (info === null) printStatus('No service runs, and nothing else has this data folder open.');
  else if (isRunning)
    printStatus(`The service runs: ${aboutProcess(info)}, since ${localTime(info.startedAt)}.`);
  else printStatus(`No service runs: a ${info.kind} has this data folder open (process ${info.pid}).`);
  const other = info === null ? null : otherVersionText(info, ownVersion(project, version), UPGRADE);
  if (other !== null) printStatus(other);
  if (info !== null) {
    printStatus(unfinishedText(info.unfinished));
    if (info.damage !== null) printStatus(info.damage);
  }
  printStatus(registration === null ? 'It does not start with this computer.' : REGISTERED[registration]);
  printStatus(`Data folder: ${dataDir}\nOutput: ${serviceLog(dataDir)}`);
  return isRunning ? EXIT.done : EXIT.missing;
}

function aboutProcess({ pid, version, host, memoryBytes }: ServiceInfo): string {
  return `process ${pid} on ${host}, version ${version}, ${Math.round(memoryBytes / 1e6)} MB`;
}

async function run(_options: unknown, { project, dataDir, version, secrets }: Program): Promise<number> {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  const opened = await openWorkbench({
    dataDir,
    project,
    appVersion: version,
    kind: 'service',
    nodeRuntime: ownNodeRuntime(process),
    secrets: await createServiceKeys(dataDir, secrets),
    reconnects: true,
    // The answer to who asked for it leaves first.
    onStop: () => setTimeout(end, 50),
    onLockLost: (refusal) => process.exit(printRefusal(refusal)),
  });
  if (!opened.ok) return printRefusal(opened.error);
  const { damage, privacy } = opened.value;
  printStatus(
    `The service of ${dataDir} runs: process ${process.pid}, version ${programVersion(project, version)}.`,
  );
  for (const note of [damage, privacy]) if (note !== null) printStatus(note);
  // It keeps the process running, too, while nothing happens.
  const alive = setInterval(() => void limitServiceLog(dataDir).catch(() => undefined), HOUR_MS);
  await ended;
  clearInterval(alive);
  printStatus('The service ends.');
  await opened.value.close();
  return EXIT.done;
}

async function connect(_options: unknown, { dataDir }: Program): Promise<number> {
  const path = await controlSocketOf(dataDir);
  if (!path.ok) return printRefusal(path.error);
  const socket = await openSocket(path.value);
  if (socket === null) {
    printStatus(`No service has ${dataDir} open. Start it with: mars2 service start`);
    return EXIT.missing;
  }
  socket.on('error', () => socket.destroy());
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
  await once(socket, 'close');
  return EXIT.done;
}
