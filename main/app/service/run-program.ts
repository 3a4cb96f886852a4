import { spawn } from 'node:child_process';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { withoutInheritedFiles } from '../../base/index';
import { controlNote } from '../control/server';
import type { Registration } from './registration';
import { limitServiceLog, logBytes, printedSince } from './service-output';
import { type ServiceProgram, SUPERVISOR, serviceLog, serviceName } from './start-files';
import { runTool } from './system-tool';

/** How often systemd is asked; each time is a program of its own. */
const ASK_SYSTEMD_MS = 1_000;

/** A service that is being started. */
export type RunningProgram = {
  /** How it ended before it worked, e.g. "exit code 1"; null: it has not ended. It is not started again then. */
  readonly end: () => Promise<string | null>;
  /** The last lines that it printed. */
  readonly printed: () => Promise<string>;
};

/** Starts the program: by systemd where that has its unit, else with a supervisor. Rejects with the system's error. */
export async function runProgram(
  dataDir: string,
  program: ServiceProgram,
  registration: Registration,
): Promise<RunningProgram> {
  await limitServiceLog(dataDir);
  // Left by a service that was killed: the supervisor would take it for the sign of a working one.
  await rm(controlNote(dataDir), { force: true });
  const from = await logBytes(dataDir);
  // Ours alone, also where systemd opens it next.
  const log = await open(serviceLog(dataDir), 'a', 0o600);
  try {
    const end =
      registration === 'systemd' ? await startUnit(dataDir) : await supervise(dataDir, program, log);
    return { end, printed: () => printedSince(dataDir, from) };
  } finally {
    await log.close();
  }
}

async function startUnit(dataDir: string): Promise<RunningProgram['end']> {
  const unit = `${serviceName(dataDir)}.service`;
  const started = await runTool('systemctl', ['--user', 'start', unit]);
  if (started?.code !== 0) return async () => started?.stderr.trim() || 'systemd does not answer';
  let latestMs = Date.now();
  return async () => {
    if (Date.now() - latestMs < ASK_SYSTEMD_MS) return null;
    latestMs = Date.now();
    const words = ['show', unit, '--property=ActiveState,SubState,ExecMainStatus'];
    const state = await runTool('systemctl', ['--user', ...words]);
    if (!/^(ActiveState=failed|SubState=auto-restart)$/m.test(state?.stdout ?? '')) return null;
    await runTool('systemctl', ['--user', 'stop', unit]);
    return `exit code ${/^ExecMainStatus=(\d{1,3})$/m.exec(state?.stdout ?? '')?.[1] ?? 'unknown'}`;
  };
}

/** Starts the program with its supervisor, in a session of their own, so that no terminal's end ends them. */
async function supervise(
  dataDir: string,
  { command, args, env }: ServiceProgram,
  log: FileHandle,
): Promise<RunningProgram['end']> {
  const supervisor = ['-c', SUPERVISOR, 'sh', controlNote(dataDir), command, ...args];
  const child = spawn(...withoutInheritedFiles('/bin/sh', supervisor), {
    cwd: homedir(),
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', log.fd, log.fd],
  });
  let end: string | null = null;
  child.once('exit', (code) => {
    end = code === null || code > 128 ? `signal ${(code ?? 128) - 128}` : `exit code ${code}`;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  return async () => end;
}
