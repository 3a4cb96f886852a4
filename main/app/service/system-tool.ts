import { spawn } from 'node:child_process';

const PATIENCE_MS = 10_000;
const MAX_CHARACTERS = 1_000_000;

/** How a program of the system ended. */
export type ToolEnd = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a program of the system; null: it is not there, does not answer in time, or says too much to be read. */
export function runTool(
  command: string,
  args: readonly string[],
  { input = '', patienceMs = PATIENCE_MS }: { readonly input?: string; readonly patienceMs?: number } = {},
): Promise<ToolEnd | null> {
  return new Promise((resolve) => {
    // Not the option `timeout`: where there is no such program, its timer holds the process open.
    const child = spawn(command, args, { signal: AbortSignal.timeout(patienceMs) });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      // Half of a crontab must not be taken for all of it.
      if (stdout.length > MAX_CHARACTERS) child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, 1_000);
    });
    child.stdin.on('error', () => undefined);
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code === null ? null : { code, stdout, stderr }));
    child.stdin.end(input);
  });
}
