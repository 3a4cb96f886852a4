import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { isExecutable } from './executables';
import { asRunner, type Launcher, type LauncherKind, requirePipes } from './launcher';
import { bestFirst, choiceOf, firstCause, type RefusedPython, refusalClause } from './logic/choose-python';
import { RUNNER_ENVIRONMENT, runnerArguments } from './logic/sandbox-arguments';
import { type HostProblem, sandboxRefusal } from './logic/sandbox-refusal';
import { findPythons, interpreterOf, type PythonInterpreter } from './python-interpreter';
import type { FoundPython } from './python-packages';
import { makeProcessFolder, makeRunnerFolder } from './runner-folder';
import { sandboxLaunch, unreadableForNobody } from './sandbox-launcher';
import { processBase } from './task-count';

const SHUTDOWN_MS = 5_000;

/** The same runner and limits without a sandbox: programs can access the user's files and processes. */
function bareLaunch(python: PythonInterpreter, folder: string): Launcher['launch'] {
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
  /** Path of the Python that grades; null or left out: the best that is found. */
  readonly python?: string | null;
};

/**
 * Finds the kind of sandbox that this computer can start. The refusal names the missing part and the command to type.
 */
export async function openLauncher(options: LauncherOptions): Promise<Result<Launcher, Refusal>> {
  const kinds: LauncherKind[] = options.allowUnsandboxed
    ? ['shared', 'nested', 'single', 'bare']
    : ['shared', 'nested', 'single'];
  const { resourcesDir, privateFolders, python } = options;
  return launcherOf(resourcesDir, kinds, privateFolders, python);
}

type Started = Pick<Launcher, 'kind' | 'launch'>;

const SYSTEM_PYTHON = '/usr/bin/python3';
const CANNOT_START = 'it does not start, or is older than Python 3.9';

/**
 * The first of these kinds that this computer can start, with the best Python that it can start with (choose-python.ts).
 */
export async function launcherOf(
  resourcesDir: string,
  kinds: readonly LauncherKind[],
  privateFolders: readonly string[] = [],
  named: string | null = null,
): Promise<Result<Launcher, Refusal>> {
  const pythons = bestFirst(await findPythons(named));
  const sandboxes = kinds.filter((kind) => kind !== 'bare');
  const inSandbox = (python: PythonInterpreter, folder: string) =>
    sandboxLaunch(python, folder, sandboxes, privateFolders);
  const bare = async (python: PythonInterpreter, folder: string): Promise<Result<Started, HostProblem>> =>
    ok({ kind: 'bare', launch: bareLaunch(python, folder) });

  const choice = (python: FoundPython, refused: readonly RefusedPython[]) =>
    named === null
      ? choiceOf(python, pythons, refused)
      : { path: python.path, reason: 'It is the one that is named in Settings, Grading.' };

  const refused: RefusedPython[] = [];
  const causes: { path: string; problem: HostProblem }[] = [];
  for (const python of sandboxes.length === 0 ? [] : pythons) {
    const closed = await unreadableForNobody([python.executable, ...python.paths]);
    const tried =
      closed === null
        ? await launcherForPython(python, resourcesDir, inSandbox)
        : closedProblem(closed, python);
    if (tried.ok) return ok({ ...tried.value, choice: choice(python, refused) });
    causes.push({ path: python.path, problem: tried.error });
    if (tried.error.kind === 'no-bwrap' || tried.error.kind === 'no-linux') break; // the same with every other one
    refused.push({
      python,
      why: tried.error.kind === 'no-python' ? CANNOT_START : refusalClause(await describe(tried.error)),
    });
  }
  for (const python of kinds.includes('bare') ? pythons : []) {
    const tried = await launcherForPython(python, resourcesDir, bare);
    if (tried.ok) return ok({ ...tried.value, choice: choice(python, []) });
  }
  const cause = firstCause(causes) ?? { kind: 'no-python' };
  return failed(await describe(cause.kind === 'no-python' && named !== null ? { ...cause, named } : cause));
}

/** The launcher that this Python makes possible; the caller adds why this Python was chosen. */
async function launcherForPython(
  found: FoundPython,
  resourcesDir: string,
  start: (python: PythonInterpreter, folder: string) => Promise<Result<Started, HostProblem>>,
): Promise<Result<Omit<Launcher, 'choice'>, HostProblem>> {
  const python = await interpreterOf(found);
  if (python === null) return failed({ kind: 'no-python' });
  const folder = await makeRunnerFolder(resourcesDir, python.path, found.paths);
  const dispose = () => rm(folder, { recursive: true, force: true });
  const started = await start(python, folder);
  if (started.ok) return ok({ python: python.version, packages: found.packages, dispose, ...started.value });
  await dispose();
  return started;
}

function closedProblem(closed: string, { path }: FoundPython): Result<never, HostProblem> {
  return failed({ kind: 'closed-python', closed, python: path });
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
const workingSetups = new Set<string>();

/** Tries one sandbox: null when it can run candidates, else the reason and the command to type. */
export async function probeSandbox(options: LauncherOptions): Promise<Refusal | null> {
  const key = JSON.stringify([options.resourcesDir, options.allowUnsandboxed, options.python ?? null]);
  if (workingSetups.has(key)) return null;
  // The system's own Python proves it soonest: nothing of it has to be imported first. Another one may do where it does not.
  const quick = options.python == null ? await openLauncher({ ...options, python: SYSTEM_PYTHON }) : null;
  const launcher = quick?.ok ? quick : await openLauncher(options);
  if (!launcher.ok) return launcher.error;
  await launcher.value.dispose();
  workingSetups.add(key);
  return null;
}
