import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { failed, ok, SCRIPT_ARGUMENTS, SCRIPT_VARIABLE } from '../base';
import { userUmask, userUmaskLine } from '../storage';
import {
  type AsyncResult,
  type AttachedProcess,
  MAX_STDERR_BYTES,
  MAX_STDOUT_BYTES,
  type Machine,
  RUN_TIMEOUT_MS,
  type ScriptEnd,
} from './machine';
import { cancelled, outputTooLarge, timedOut } from './refusals';

/** A process that a script left running may keep the output open: wait at most so long after the script's end. */
const LINGER_MS = 500;
/** After that, turns of the event loop in which what waits in the pipes is read: a pipe holds fewer reads than these. */
const MAX_LAST_READS = 20;

const HERE = 'this computer';

/**
 * A program as it runs for the user: with the user's mask for new files, not with the workbench's own. Where the two
 * differ, a program that does not exist ends with the code 127 of the shell.
 */
export function asUser(command: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (process.umask() === userUmask()) return [command, args];
  return ['/bin/sh', ['-c', `${userUmaskLine()}; exec "$@"`, 'sh', command, ...args]];
}

/** `Machine.run` on this computer: the script leads a process group, so that all of it can be killed. */
export async function runLocally(
  script: string,
  options: Parameters<Machine['run']>[1] = {},
): AsyncResult<ScriptEnd> {
  const timeoutMs = options.timeoutMs ?? RUN_TIMEOUT_MS;
  if (options.signal?.aborted) return failed(cancelled(HERE));
  const child = spawn('/bin/sh', SCRIPT_ARGUMENTS, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, [SCRIPT_VARIABLE]: `${userUmaskLine()}\n${script}` },
  });
  const stdout: Buffer[] = [];
  let [stdoutBytes, stderrBytes] = [0, 0];
  let stderr = Buffer.alloc(0);
  return new Promise((resolve) => {
    const finish = (answer: Awaited<AsyncResult<ScriptEnd>>) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      if (!answer.ok) killGroup(child);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(answer);
    };
    const onAbort = () => finish(failed(cancelled(HERE)));
    const timer = setTimeout(() => finish(failed(timedOut(timeoutMs, HERE))), timeoutMs);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > MAX_STDOUT_BYTES) finish(failed(outputTooLarge(MAX_STDOUT_BYTES, HERE)));
      else stdout.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderrBytes += chunk.length;
      stderr = Buffer.concat([stderr, chunk]).subarray(-MAX_STDERR_BYTES);
    });
    // A script that does not read its input closes it: not an error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
    child.once('error', (error) => {
      finish(failed({ code: 'unavailable', message: `Cannot start /bin/sh: ${error.message}.` }));
    });
    const end = (code: number | null, signal: NodeJS.Signals | null) =>
      finish(
        ok({
          code: exitCodeOf(code, signal),
          stdout: Buffer.concat(stdout).toString('utf8'),
          stderr: stderr.toString('utf8'),
        }),
      );
    child.once('close', end);
    // The end of a process can be known before its output is read; and where this process then stood still for as long, the
    // timer comes before the output does.
    const endOnceRead = (code: number | null, signal: NodeJS.Signals | null, reads = 0): void => {
      const before = stdoutBytes + stderrBytes;
      setImmediate(() => {
        if (stdoutBytes + stderrBytes === before || reads === MAX_LAST_READS) end(code, signal);
        else endOnceRead(code, signal, reads + 1);
      });
    };
    child.once('exit', (code, signal) => setTimeout(() => endOnceRead(code, signal), LINGER_MS).unref());
  });
}

/** `Machine.spawn` on this computer. */
export async function spawnLocally(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): AsyncResult<AttachedProcess> {
  const [program, words] = asUser(command, args);
  const child = spawn(program, words, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(failed({ code: 'unavailable', message: `Cannot start ${command}: ${error.message}.` }));
    });
    child.once('spawn', () => {
      // A write to an ended process fails; `ended` reports the end.
      child.stdin.on('error', () => undefined);
      const ended = new Promise<{ code: number | null }>((resolveEnd) => {
        child.once('close', (code, signal) => resolveEnd({ code: exitCodeOf(code, signal) }));
      });
      const { stdin, stdout, stderr } = child;
      resolve(ok({ stdin, stdout, stderr, ended, kill: () => killGroup(child) }));
    });
  });
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}
