import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How a command ended. `code`: null where a signal ended it. */
export type Ended = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** It did not come to its end in time and was killed. */
  readonly hung: boolean;
};

export type Running = {
  readonly pid: number;
  readonly isAlive: () => boolean;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
  /** What it has said so far, on its standard error. */
  readonly said: () => Promise<string>;
};

export type StartOptions = {
  readonly env: Readonly<Record<string, string>>;
  /** Words before the command: a program that runs it elsewhere or under limits. */
  readonly before?: readonly string[];
  /** Milliseconds; it hangs when it takes longer. */
  readonly patienceMs?: number;
};

let started = 0;

/** Starts the built terminal program; its output goes to files of `folder`, which no kill can block. */
export function startMars2(
  project: string,
  folder: string,
  args: readonly string[],
  { env, before = [], patienceMs = 180_000 }: StartOptions,
): Running {
  started += 1;
  const path = (name: string) => join(folder, `command-${started}.${name}`);
  const [outPath, errPath] = [path('out'), path('err')];
  const [out, err] = [openSync(outPath, 'w'), openSync(errPath, 'w')];
  const program = join(project, 'out', 'main', 'cli.js');
  const [command = '', ...words] = [...before, process.execPath, program, ...args];
  const child = spawn(command, words, { env, cwd: folder, stdio: ['ignore', out, err] });
  closeSync(out);
  closeSync(err);
  let hung = false;
  let alive = true;
  const timer = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, patienceMs);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      alive = false;
      clearTimeout(timer);
      void Promise.all([readFile(outPath, 'utf8'), readFile(errPath, 'utf8')]).then(
        ([text, errors]) => resolve({ code, out: text, err: errors, hung }),
        reject,
      );
    });
  });
  return {
    pid: child.pid ?? 0,
    isAlive: () => alive,
    kill: (signal) => void child.kill(signal),
    ended,
    said: () => readFile(errPath, 'utf8'),
  };
}
