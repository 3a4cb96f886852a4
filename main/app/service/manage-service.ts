import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal, ServiceInfo } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { makeFolder, processStart, reasonOf, systemErrorCode } from '../../storage/index';
import { type ControlClient, connectControlSocket } from '../control/client';
import type { NoConnection } from '../control/no-connection';
import { controlSocketOf } from '../control/server';
import { type Registration, register, registrationOf, unregister } from './registration';
import { runProgram } from './run-program';
import { type ServiceProgram, serviceLog } from './start-files';

/** Who has a data folder open. */
export type FolderState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly info: ServiceInfo }
  /** Something that does not speak as this version does. */
  | { readonly kind: 'other'; readonly refusal: NoConnection };

const START_MS = 120_000;
const STOP_MS = 90_000;
const POLL_MS = 100;

export async function folderState(dataDir: string): Promise<FolderState> {
  return withWorkbench(dataDir, async (_client, state) => state);
}

/**
 * Runs `work` on one connection to the process that has the data folder open; `client` is null where no process of this
 * version answers.
 */
async function withWorkbench<T>(
  dataDir: string,
  use: (client: ControlClient | null, state: FolderState) => Promise<T>,
): Promise<T> {
  const path = await controlSocketOf(dataDir);
  if (!path.ok) return use(null, { kind: 'other', refusal: path.error });
  const client = await connectControlSocket(path.value);
  if (client === null) return use(null, { kind: 'closed' });
  if (!client.ok) return use(null, { kind: 'other', refusal: client.error });
  try {
    const info = await client.value.call('service.info', {}, 'terminal');
    if (!info.ok) return await use(null, { kind: 'other', refusal: info.error });
    return await use(client.value, { kind: 'open', info: info.value as ServiceInfo });
  } finally {
    await client.value.close();
  }
}

/**
 * Starts the service of a data folder, and answers once it works. `registers`: it is started again with the computer, by
 * systemd or cron. One that runs already is answered as it is.
 */
export async function startService(
  dataDir: string,
  program: ServiceProgram,
  { registers }: { readonly registers: boolean },
): Promise<
  Result<
    { readonly info: ServiceInfo; readonly registration: Registration; readonly wasRunning: boolean },
    Refusal
  >
> {
  const before = await folderState(dataDir);
  if (before.kind === 'other') return failed(before.refusal);
  if (before.kind === 'open' && before.info.kind !== 'service') return failed(alreadyOpen(before.info));
  try {
    await makeFolder(dataDir);
  } catch (error) {
    return failed(cannotWrite(dataDir, error));
  }
  const wasRegistered = registers && (await registrationOf(dataDir)) !== null;
  const registration = registers ? await register(dataDir, program) : null;
  if (before.kind === 'open') return ok({ info: before.info, registration, wasRunning: true });
  const started = await startProgram(dataDir, program, registration);
  // A service that cannot start must not be retried every few minutes.
  if (!started.ok && registers && !wasRegistered) await unregister(dataDir);
  return started.ok ? ok({ info: started.value, registration, wasRunning: false }) : started;
}

/** Starts the process, and answers once it works, or as soon as it is gone. */
async function startProgram(
  dataDir: string,
  program: ServiceProgram,
  registration: Registration,
): Promise<Result<ServiceInfo, Refusal>> {
  let running: Awaited<ReturnType<typeof runProgram>>;
  try {
    running = await runProgram(dataDir, program, registration);
  } catch (error) {
    return failed(cannotWrite(dataDir, error));
  }
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    const end = await running.end();
    const now = await folderState(dataDir);
    if (now.kind === 'open' && now.info.kind === 'service') return ok(now.info);
    if (end !== null) {
      const other = now.kind === 'open' ? alreadyOpen(now.info) : null;
      return failed(other ?? (await endedAtStart(dataDir, end, running.printed)));
    }
    await pause(POLL_MS);
  }
  return failed({
    code: 'unavailable',
    message: `The service did not start within ${START_MS / 1_000} seconds.`,
    hint: `Its output: ${serviceLog(dataDir)}`,
  });
}

async function endedAtStart(dataDir: string, end: string, printed: () => Promise<string>): Promise<Refusal> {
  const lines = await printed();
  return {
    code: 'unavailable',
    message: `The service ended before it was ready (${end})${lines === '' ? ', without output.' : `. Its last lines:\n${lines}`}`,
    hint: `Its output: ${serviceLog(dataDir)}`,
  };
}

const cannotWrite = (dataDir: string, error: unknown): Refusal => ({
  code: 'unavailable',
  message: `The service cannot be started, because nothing can be written in ${dataDir}: ${reasonOf(error)}.`,
});

/** Ends the service, and answers when the data folder is closed. `forGood`: nothing starts it again. */
export async function stopService(
  dataDir: string,
  { forGood }: { readonly forGood: boolean },
): Promise<Result<{ readonly wasRunning: boolean }, Refusal>> {
  if (forGood) await unregister(dataDir);
  const asked = await withWorkbench(dataDir, async (client, state) => {
    if (state.kind === 'other' && state.refusal.by?.kind === 'service') return endIncompatible(state.refusal);
    if (client === null || state.kind !== 'open') return state;
    const start = await processStart(state.info.pid);
    const stopped = await client.call('service.stop', {}, 'terminal');
    if (!stopped.ok && stopped.error.code === 'conflict')
      return { kind: 'other', refusal: stopped.error } as const;
    return { kind: 'ending', pid: state.info.pid, start } as const;
  });
  if (asked.kind === 'other') return failed(asked.refusal);
  if (asked.kind !== 'ending') return ok({ wasRunning: false });
  const { pid, start } = asked;
  const until = Date.now() + STOP_MS;
  while (Date.now() < until) {
    if ((await processStart(pid)) !== start) return ok({ wasRunning: true });
    await pause(POLL_MS);
  }
  return failed({
    code: 'unavailable',
    message: `The service (process ${pid}) has not ended within ${STOP_MS / 1_000} seconds.`,
    hint: `See its output: ${serviceLog(dataDir)}`,
  });
}

/** A service that speaks otherwise, and so cannot be asked to end: it ends by a signal as by a command. */
async function endIncompatible(refusal: NoConnection) {
  const { pid } = refusal.by ?? {};
  if (pid === undefined) return { kind: 'other', refusal } as const;
  const start = await processStart(pid);
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
  return { kind: 'ending', pid, start } as const;
}

/** Ends the service and starts it with this program, e.g. for an upgrade: jobs and studies continue. */
export async function restartService(
  dataDir: string,
  program: ServiceProgram,
): Promise<Result<ServiceInfo, Refusal>> {
  const stopped = await stopService(dataDir, { forGood: false });
  if (!stopped.ok) return stopped;
  const registers = (await registrationOf(dataDir)) !== null;
  const started = await startService(dataDir, program, { registers });
  return started.ok ? ok(started.value.info) : started;
}

function alreadyOpen({ kind, pid }: ServiceInfo): Refusal {
  return kind === 'window'
    ? {
        code: 'conflict',
        message: `A window has this data folder open (process ${pid}).`,
        hint: 'In it: Settings > Background service > Start. Or close it, then type the command again.',
      }
    : {
        code: 'conflict',
        message: `A terminal command has this data folder open (process ${pid}).`,
        hint: 'Wait until it has ended, then type the command again.',
      };
}
