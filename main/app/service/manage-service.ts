import { spawn } from 'node:child_process';
import { access, copyFile, mkdir, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Refusal, ServiceInfo } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { makeFolder, processStart } from '../../storage/index';
import { connectControlSocket } from '../control/client';
import { controlSocketPath } from '../control/server';
import { privateFolder } from '../folders';
import {
  crontabWith,
  type ServiceProgram,
  SUPERVISOR,
  serviceName,
  startLine,
  systemdUnit,
  WITHOUT_INHERITED_FILES,
} from './start-files';

/** What starts the service again with the computer; null: nothing does. */
export type Registration = 'systemd' | 'cron' | null;

/** Who has a data folder open. */
export type FolderState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly info: ServiceInfo }
  /** Something that does not speak as this version does. */
  | { readonly kind: 'other'; readonly refusal: Refusal };

const START_MS = 120_000;
const STOP_MS = 90_000;
const POLL_MS = 100;
const TOOL_MS = 10_000;
const MOST_LOG_BYTES = 5_000_000;

export async function folderState(dataDir: string): Promise<FolderState> {
  const sockets = await privateFolder(process.env);
  if (!sockets.ok) return { kind: 'other', refusal: sockets.error };
  const client = await connectControlSocket(controlSocketPath(sockets.value, dataDir));
  if (client === null) return { kind: 'closed' };
  if (!client.ok) return { kind: 'other', refusal: client.error };
  try {
    const info = await client.value.call('service.info', {}, 'terminal');
    if (!info.ok) return { kind: 'other', refusal: info.error };
    return { kind: 'open', info: info.value as ServiceInfo };
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
    await tool('systemctl', ['--user', 'start', `${serviceName(dataDir)}.service`]);
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
  const before = await folderState(dataDir);
  if (before.kind === 'closed') return ok({ wasRunning: false });
  if (before.kind === 'other') return failed(before.refusal);
  const { pid } = before.info;
  const start = await processStart(pid);
  const sockets = await privateFolder(process.env);
  if (!sockets.ok) return sockets;
  const client = await connectControlSocket(controlSocketPath(sockets.value, dataDir));
  if (client?.ok) {
    const stopped = await client.value.call('service.stop', {}, 'terminal');
    await client.value.close();
    if (!stopped.ok && stopped.error.code === 'conflict') return failed(stopped.error);
  }
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

/** What starts the service of this data folder with the computer. */
export async function registrationOf(dataDir: string): Promise<Registration> {
  const unit = unitPath(dataDir);
  if (
    await access(unit).then(
      () => true,
      () => false,
    )
  )
    return 'systemd';
  const table = await tool('crontab', ['-l']);
  return table?.code === 0 && table.stdout.includes(`# ${serviceName(dataDir)}`) ? 'cron' : null;
}

async function register(dataDir: string, program: ServiceProgram): Promise<Registration> {
  const name = serviceName(dataDir);
  const asked = await tool('systemctl', ['--user', 'show-environment']);
  if (asked?.code === 0) {
    const path = unitPath(dataDir);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, systemdUnit(program, dataDir));
    await tool('systemctl', ['--user', 'daemon-reload']);
    const enabled = await tool('systemctl', ['--user', 'enable', `${name}.service`]);
    // Without it a user's services end with the last login.
    await tool('loginctl', ['enable-linger', userInfo().username]);
    if (enabled?.code === 0) return 'systemd';
    await rm(path, { force: true });
  }
  return (await writeCrontab(dataDir, startLine({ ...program, args: startArguments(program.args) })))
    ? 'cron'
    : null;
}

/** Cron starts it as a person would, so that it gets its supervisor again. */
function startArguments(args: readonly string[]): readonly string[] {
  return args.map((word, at) => (word === 'run' && args[at - 1] === 'service' ? 'start' : word));
}

async function unregister(dataDir: string): Promise<void> {
  const path = unitPath(dataDir);
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  ) {
    await tool('systemctl', ['--user', 'disable', `${serviceName(dataDir)}.service`]);
    await rm(path, { force: true });
    await tool('systemctl', ['--user', 'daemon-reload']);
  }
  await writeCrontab(dataDir, null);
}

/** False: this computer has no cron for this user. */
async function writeCrontab(dataDir: string, line: string | null): Promise<boolean> {
  const name = serviceName(dataDir);
  const table = await tool('crontab', ['-l']);
  if (table === null) return false;
  const before = table.code === 0 ? table.stdout : '';
  const after = crontabWith(before, name, line);
  if (after === before) return true;
  return (await tool('crontab', ['-'], after))?.code === 0;
}

const unitPath = (dataDir: string): string =>
  join(
    process.env.XDG_CONFIG_HOME || join(homedir(), '.config'),
    'systemd',
    'user',
    `${serviceName(dataDir)}.service`,
  );

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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a program of the system; null: it is not there, or does not answer. */
function tool(
  command: string,
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number; readonly stdout: string } | null> {
  return new Promise((resolve) => {
    // Not the option `timeout`: where there is no such program, its timer holds the process open.
    const signal = AbortSignal.timeout(TOOL_MS);
    const child = spawn(command, args, { signal, stdio: ['pipe', 'pipe', 'ignore'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(0, 1_000_000);
    });
    child.stdin.on('error', () => undefined);
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code === null ? null : { code, stdout }));
    child.stdin.end(input);
  });
}
