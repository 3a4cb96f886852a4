import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { asRunner, type Launcher, requirePipes } from './launcher';
import { RUNNER_ENVIRONMENT, runnerArguments } from './logic/sandbox-arguments';
import { makeProcessFolder } from './process-folder';
import type { PythonInterpreter } from './python-interpreter';
import { processBase } from './task-count';

const SHUTDOWN_MS = 5_000;

/** The same runner and limits without a sandbox: programs can access the user's files and processes. */
export function bareLaunch(python: PythonInterpreter, folder: string): Launcher['launch'] {
  return async () => {
    const workingFolder = await makeProcessFolder('candidate');
    const env = { ...RUNNER_ENVIRONMENT, HOME: workingFolder, TMPDIR: workingFolder };
    const args = runnerArguments(folder, 'bare');
    const child = requirePipes(spawn(python.path, args, { cwd: workingFolder, env, stdio: 'pipe' }));
    return {
      process: asRunner(child),
      processBase: processBase(null, process.getuid?.() ?? 0),
      isReadyEachTime: false,
      // When its input closes, the runner ends the test with all its processes; a killed runner could not.
      stop: () => {
        child.stdin.destroy();
        const timer = setTimeout(() => child.kill('SIGKILL'), SHUTDOWN_MS);
        child.once('close', () => clearTimeout(timer));
      },
      cleanUp: () => rm(workingFolder, { recursive: true, force: true }),
    };
  };
}
