import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lstat, mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import {
  featuresOf,
  type RootEntry,
  RUNNER_ENVIRONMENT,
  runnerArguments,
  sandboxArguments,
} from './logic/sandbox-arguments';
import { type HostTrouble, sandboxRefusal } from './logic/sandbox-refusal';
import { findPython, type PythonInterpreter } from './python-interpreter';
import { makeRunnerFolder } from './runner-folder';
import { processBase } from './task-count';

/** Starts runners: each process given out serves one candidate. */
export type Launcher = {
  readonly isolation: 'sandbox' | 'none';
  /** Version of the Python that runs the candidates, e.g. "3.11.2". */
  readonly python: string;
  readonly launch: () => Promise<Launched>;
  readonly dispose: () => Promise<void>;
};

export type Launched = {
  readonly process: ChildProcessWithoutNullStreams;
  /** For the runner's limit on processes; see task-count.ts. */
  readonly processBase: number;
  /** Ends the process and all that it has started; only once it has said something (see there). */
  readonly stop: () => void;
  /** Removes what the process leaves; called when it has ended. */
  readonly tidy: () => Promise<void>;
};

/** "nobody": as root, sandboxes run as this user, because the kernel exempts root from the limit on processes. */
const NOBODY = 65_534;
const RUNNER_START_MS = 20_000;
const LAST_WORDS_MS = 5_000;

export type LauncherOptions = {
  readonly resourcesDir: string;
  readonly allowUnsandboxed: boolean;
};

/** Finds out what this computer has and tries it once; the refusal says what is missing and what to type. */
export async function openLauncher(options: LauncherOptions): Promise<Result<Launcher, Refusal>> {
  const python = await findPython(process.env.PATH ?? '');
  if (python === null) return failed(await describe({ kind: 'no-python' }));
  const folder = await makeRunnerFolder(options.resourcesDir, python.path);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const common = { python: python.version, dispose: removeFolder };
  const sandboxed = await sandboxLauncher(python, folder);
  if (sandboxed.ok) return ok({ ...common, isolation: 'sandbox', launch: sandboxed.value });
  if (options.allowUnsandboxed)
    return ok({ ...common, isolation: 'none', launch: bareLauncher(python, folder) });
  await removeFolder();
  return failed(await describe(sandboxed.error));
}

type Launch = Launcher['launch'];

async function sandboxLauncher(
  python: PythonInterpreter,
  folder: string,
): Promise<Result<Launch, HostTrouble>> {
  if (process.platform !== 'linux') return failed({ kind: 'no-linux' });
  const bwrap = await findOnPath('bwrap');
  if (bwrap === null) return failed({ kind: 'no-bwrap' });
  const versionLine = await outputOf(bwrap, ['--version']);
  const args = sandboxArguments({
    python: python.path,
    pythonFolders: foldersOf(python),
    runnerFolder: folder,
    rootEntries: await rootEntries(),
    features: featuresOf(versionLine ?? ''),
  });
  const uid = process.getuid?.() ?? 0;
  const identity = uid === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const launch: Launch = async () => {
    const child = started(spawn(bwrap, args, { cwd: '/', env: {}, stdio: 'pipe', ...identity }));
    return {
      process: child,
      processBase: processBase(true, uid === 0 ? NOBODY : uid),
      // --die-with-parent: with bubblewrap ends process 1 of the namespace, and with it the namespace. Not before
      // the runner has spoken: bubblewrap, killed while it sets up, can leave a child that waits for it for ever.
      stop: () => void child.kill('SIGKILL'),
      tidy: async () => undefined,
    };
  };
  const trouble = await tryOnce(launch);
  return trouble === null
    ? ok(launch)
    : failed({ kind: 'broken-sandbox', detail: trouble, python: python.path });
}

/** The user's explicit word: the same runner and limits, but nothing keeps the program from the user's files. */
function bareLauncher(python: PythonInterpreter, folder: string): Launch {
  return async () => {
    const workingFolder = await mkdtemp(join(tmpdir(), 'mars2-candidate-'));
    const env = { ...RUNNER_ENVIRONMENT, HOME: workingFolder, TMPDIR: workingFolder };
    const child = started(
      spawn(python.path, runnerArguments(folder), { cwd: workingFolder, env, stdio: 'pipe' }),
    );
    return {
      process: child,
      processBase: processBase(false, process.getuid?.() ?? 0),
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

/** A child without pipes is one that the system refused to start (too many processes or open files). */
function started(child: ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  child.on('error', () => undefined); // told to those who listen; without a listener it would end the app
  if (child.pid === undefined && !child.stdout)
    throw new Error('The system is out of processes or open files.');
  return child;
}

function foldersOf(python: PythonInterpreter): string[] {
  const outside = (path: string) => path !== '/usr' && !path.startsWith('/usr/');
  const folders = outside(python.prefix) ? [python.prefix] : [];
  const covered = folders.some((folder) => python.path.startsWith(`${folder}/`));
  return outside(python.path) && !covered ? [...folders, python.path] : folders;
}

async function rootEntries(): Promise<RootEntry[]> {
  const entries: RootEntry[] = [];
  for (const path of ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']) {
    const stats = await lstat(path).catch(() => null);
    if (stats?.isSymbolicLink()) entries.push({ kind: 'link', path, target: await readlink(path) });
    else if (stats?.isDirectory()) entries.push({ kind: 'folder', path });
  }
  return entries;
}

async function findOnPath(name: string): Promise<string | null> {
  for (const folder of ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]) {
    const path = join(folder, name);
    if (folder !== '' && (await isThere(path))) return path;
  }
  return null;
}

function isThere(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function outputOf(command: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: 10_000 }, (error, stdout) => resolve(error === null ? stdout : null));
  });
}

/** null when a runner starts; else what it said instead. */
function tryOnce(launch: Launch): Promise<string | null> {
  return launch().then(
    ({ process: child, stop, tidy }) =>
      new Promise<string | null>((resolve) => {
        let said = '';
        const timer = setTimeout(
          () => finish('The sandbox did not start within 20 seconds.'),
          RUNNER_START_MS,
        );
        const finish = (trouble: string | null) => {
          clearTimeout(timer);
          stop();
          verdict ??= { trouble };
        };
        let verdict: { readonly trouble: string | null } | null = null;
        child.once('error', (error) => finish(error.message));
        child.once('close', async () => {
          finish(said.trim() || 'The sandbox ended at once without a word.');
          await tidy();
          resolve(verdict?.trouble ?? null);
        });
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          said = (said + text).slice(-1_000);
        });
        child.stdin.on('error', () => undefined);
        child.stdout.once('data', () => finish(null));
      }),
    (error: unknown) => String(error),
  );
}

async function describe(trouble: HostTrouble): Promise<Refusal> {
  const present = async (path: string) => ((await isThere(path)) ? [path] : []);
  const managers = await Promise.all(
    ['/usr/bin/apt-get', '/usr/bin/dnf', '/usr/bin/pacman', '/usr/bin/zypper'].map(present),
  );
  return sandboxRefusal(trouble, {
    packageManager: managers.flat()[0] ?? null,
    isRoot: process.getuid?.() === 0,
  });
}
