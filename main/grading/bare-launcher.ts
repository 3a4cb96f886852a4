import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { asRunner, type Launcher, started } from './launcher';
import { RUNNER_ENVIRONMENT, runnerArguments } from './logic/sandbox-arguments';
import { makeOwnFolder } from './own-folder';
import type { PythonInterpreter } from './python-interpreter';
import { processBase } from './task-count';

const LAST_WORDS_MS = 5_000;

/** The same runner and limits, but nothing keeps a program from the user's files and processes. */
export function bareLaunch(python: PythonInterpreter, folder: string): Launcher['launch'] {
  return async () => {
    const workingFolder = await makeOwnFolder('candidate');
    const env = { ...RUNNER_ENVIRONMENT, HOME: workingFolder, TMPDIR: workingFolder };
    const args = runnerArguments(folder, 'bare');
    const child = started(spawn(python.path, args, { cwd: workingFolder, env, stdio: 'pipe' }));
    return {
      process: asRunner(child),
      processBase: processBase(null, process.getuid?.() ?? 0),
      isReadyEachTime: false,
      // The runner, on losing its input, ends the test with all its processes; killed, it could not.
      stop: () => {
        child.stdin.destroy();
        const timer = setTimeout(() => child.kill('SIGKILL'), LAST_WORDS_MS);
        child.once('close', () => clearTimeout(timer));
      },
      tidy: () => rm(workingFolder, { recursive: true, force: true }),
    };
  };
}
