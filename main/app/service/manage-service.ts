import { spawn } from 'node:child_process';
import { copyFile, open, stat, truncate } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Refusal, ServiceInfo } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { makeFolder, processStart } from '../../storage/index';
import { type ControlClient, connectControlSocket } from '../control/client';
import { controlSocketOf } from '../control/server';
import { type Registration, register, unregister } from './registration';
import { type ServiceProgram, SUPERVISOR, serviceName, WITHOUT_INHERITED_FILES } from './start-files';
import { runTool } from './system-tool';

/** Who has a data folder open. */
export type FolderState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly info: ServiceInfo }
  /** Something that does not speak as this version does. */
  | { readonly kind: 'other'; readonly refusal: Refusal };

const START_MS = 120_000;
const STOP_MS = 90_000;
const POLL_MS = 100;
const MOST_LOG_BYTES = 5_000_000;

export async function folderState(dataDir: string): Promise<FolderState> {
  return withWorkbench(dataDir, async (_client, state) => state);
}

/** Does something with whoever has the data folder open, over one connection; `client` null: nobody of this version. */
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

/** Keeps what the service has printed within limits: the newest part in `service.log`, the one before it beside it. */
export async function limitServiceLog(dataDir: string): Promise<void> {
  const path = serviceLog(dataDir);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= MOST_LOG_BYTES) return;
  // Emptied rather than renamed: the service and its supervisor have it open, and go on at its end.
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

export const serviceLog = (dataDir: string): string => join(dataDir, 'service.log');

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
  if (before.kind === 'open' && before.info.kind !== 'service') return failed(openElsewhere(before.info));
  await makeFolder(dataDir);
  const registration = registers ? await register(dataDir, program) : null;
  if (before.kind === 'open') return ok({ info: before.info, registration, wasRunning: true });
  if (registration === 'systemd')
    await runTool('systemctl', ['--user', 'start', `${serviceName(dataDir)}.service`]);
  else await supervise(dataDir, program);
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    const now = await folderState(dataDir);
    if (now.kind === 'open' && now.info.kind === 'service') {
      return ok({ info: now.info, registration, wasRunning: false });
    }
    await pause(POLL_MS);
  }
  return failed({
    code: 'unavailable',
    message: `The service did not start within ${START_MS / 1_000} seconds.`,
    hint: `Its output: ${serviceLog(dataDir)}`,
  });
}

/** Ends the service, and answers when the data folder is closed. `forGood`: nothing starts it again. */
export async function stopService(
  dataDir: string,
  { forGood }: { readonly forGood: boolean },
): Promise<Result<{ readonly wasRunning: boolean }, Refusal>> {
  if (forGood) await unregister(dataDir);
  const asked = await withWorkbench(dataDir, async (client, state) => {
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

/** Starts the program with its supervisor, in a session of their own, so that no terminal's end ends them. */
async function supervise(dataDir: string, { command, args, env }: ServiceProgram): Promise<void> {
  await limitServiceLog(dataDir);
  const log = await open(serviceLog(dataDir), 'a', 0o600);
  try {
    const supervisor = ['/bin/sh', '-c', SUPERVISOR, 'sh', command, ...args];
    const child = spawn('/bin/sh', ['-c', WITHOUT_INHERITED_FILES, 'sh', ...supervisor], {
      cwd: homedir(),
      detached: true,
      env: { ...process.env, ...env },
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.unref();
  } finally {
    await log.close();
  }
}

function openElsewhere({ kind, pid }: ServiceInfo): Refusal {
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
