import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { project } from './app';

export const cliEntry = join(project, 'out', 'main', 'cli.js');

export type CliResult = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

export function runCli(
  args: readonly string[],
  timeoutMs = 240_000,
  env: NodeJS.ProcessEnv = process.env,
): CliResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliEntry, ...args], {
    encoding: 'utf8',
    env,
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}

/** Runs the command without blocking this process; resolves with its exit code, null when it was killed. */
export function startCli(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): { child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [cliEntry, ...args], { stdio: 'ignore', env });
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  return { child, ended };
}
