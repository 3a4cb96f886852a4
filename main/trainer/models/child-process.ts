import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { failed, ok, type Result } from '../../base/index';

/** Large weights load for minutes from a network disk, and an engine compiles and measures before it answers. */
const LOAD_TIMEOUT_MS = 3_600_000;
const POLL_MS = 100;
/** Enough for a Python traceback's last lines. */
const KEPT_LINES = 12;

export type ChildOutput = {
  /** How the process has ended, with what it printed last; null: it runs. */
  readonly ended: () => string | null;
};

/** Passes each line on that the child prints. */
export function watchOutput(child: ChildProcess, onLine: (line: string) => void): ChildOutput {
  const last: string[] = [];
  let end: string | null = null;
  const finish = (how: string): void => {
    end ??= last.length === 0 ? how : `${how}. It printed last:\n${last.join('\n')}`;
  };
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split(/\r?\n/);
      // A program without line ends must not fill the memory.
      rest = (lines.pop() ?? '').slice(-10_000);
      for (const line of lines) {
        last.push(line.slice(0, 2_000));
        if (last.length > KEPT_LINES) last.shift();
        onLine(line);
      }
    });
  }
  child.on('error', (error) => finish(`it could not be started (${error.message})`));
  child.on('close', (code, signal) => finish(signal === null ? `exit code ${code}` : `signal ${signal}`));
  return { ended: () => end };
}

/** SIGTERM, and SIGKILL where the process is still there after `timeoutMs`. Resolves when it has ended. */
export function endProcess(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
    return Promise.resolve();
  return new Promise((resolve) => {
    const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.once('close', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** Asks until `probe` gives something; fails with the reason where the child ends before, or after an hour. */
export async function waitUntilLoaded<T>(
  ended: ChildOutput['ended'],
  probe: () => Promise<T | null>,
): Promise<Result<T, string>> {
  const endMs = performance.now() + LOAD_TIMEOUT_MS;
  for (;;) {
    const answer = await probe();
    if (answer !== null) return ok(answer);
    const reason = ended() ?? (performance.now() > endMs ? 'it did not answer within an hour' : null);
    if (reason !== null) return failed(reason);
    await pause(POLL_MS);
  }
}
