import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { isExecutable } from './executables';
import { asRunner, type Launcher, type LauncherKind, requirePipes } from './launcher';
import { RUNNER_ENVIRONMENT, runnerArguments } from './logic/sandbox-arguments';
import { type HostProblem, sandboxRefusal } from './logic/sandbox-refusal';
import { findPackages, findPython, type PythonInterpreter } from './python-interpreter';
import { makeProcessFolder, makeRunnerFolder } from './runner-folder';
import { sandboxLaunch } from './sandbox-launcher';
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

export type LauncherOptions = {
  /** Folder that holds `grader/`. */
  readonly resourcesDir: string;
  /** The user's explicit permission: where no sandbox starts, run candidates with the user's own rights. */
  readonly allowUnsandboxed: boolean;
  /** Folders on this computer that no candidate may read, e.g. the data folder; the user's home is always one. */
  readonly privateFolders?: readonly string[];
};

/**
 * Finds the kind of sandbox that this computer can start. The refusal names the missing part and the command to type.
 */
export async function openLauncher(options: LauncherOptions): Promise<Result<Launcher, Refusal>> {
  const kinds: LauncherKind[] = options.allowUnsandboxed
    ? ['shared', 'nested', 'single', 'bare']
    : ['shared', 'nested', 'single'];
  return launcherOf(options.resourcesDir, kinds, options.privateFolders);
}

/** The first of these kinds that this computer can start. */
export async function launcherOf(
  resourcesDir: string,
  kinds: readonly LauncherKind[],
  privateFolders: readonly string[] = [],
): Promise<Result<Launcher, Refusal>> {
  const python = await findPython();
  if (python === null) return failed(await describe({ kind: 'no-python' }));
  const { packages, paths } = await findPackages(python.path);
  const folder = await makeRunnerFolder(resourcesDir, python.path, paths);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const common = { python: python.version, packages, dispose: removeFolder };
  const sandboxes = kinds.filter((kind) => kind !== 'bare');
  const sandbox =
    sandboxes.length > 0 ? await sandboxLaunch(python, folder, sandboxes, privateFolders) : null;
  if (sandbox?.ok) return ok({ ...common, ...sandbox.value });
  if (kinds.includes('bare')) return ok({ ...common, kind: 'bare', launch: bareLaunch(python, folder) });
  await removeFolder();
  return failed(await describe(sandbox?.error ?? { kind: 'no-bwrap' }));
}

const PACKAGE_MANAGERS = ['/usr/bin/apt-get', '/usr/bin/dnf', '/usr/bin/pacman', '/usr/bin/zypper'];

async function describe(problem: HostProblem): Promise<Refusal> {
  const installed = await Promise.all(PACKAGE_MANAGERS.map(isExecutable));
  const packageManager = PACKAGE_MANAGERS.find((_, i) => installed[i]) ?? null;
  return sandboxRefusal(problem, { packageManager, isRoot: process.getuid?.() === 0 });
}

/**
 * Folders for which a sandbox has started. Only successes are remembered: the cause of a failure may be fixed by now.
 */
const proven = new Set<string>();

/** Tries one sandbox: null when it can run candidates, else the reason and the command to type. */
export async function probeSandbox(options: LauncherOptions): Promise<Refusal | null> {
  const key = JSON.stringify([options.resourcesDir, options.allowUnsandboxed]);
  if (proven.has(key)) return null;
  const launcher = await openLauncher(options);
  if (!launcher.ok) return launcher.error;
  await launcher.value.dispose();
  proven.add(key);
  return null;
}
