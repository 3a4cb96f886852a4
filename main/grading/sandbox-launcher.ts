import { spawn } from 'node:child_process';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { failed, ok, type Result } from '../base';
import { executablesNamed, outputOf } from './executables';
import { asRunner, type Launcher, type LauncherKind, NOBODY, probeLaunch, requirePipes } from './launcher';
import { featuresOf, type RootEntry, sandboxArguments } from './logic/sandbox-arguments';
import type { HostProblem } from './logic/sandbox-refusal';
import { type PythonInterpreter, requiredPaths } from './python-interpreter';
import { processBase } from './task-count';

type SandboxKind = Exclude<LauncherKind, 'bare'>;
type SandboxLaunch = { readonly kind: SandboxKind; readonly launch: Launcher['launch'] };

/**
 * The first of these kinds that starts on this computer, tried once; else why none does. `privateFolders`, and the user's
 * home, are empty where they lie in what is bound.
 */
export async function sandboxLaunch(
  python: PythonInterpreter,
  folder: string,
  kinds: readonly SandboxKind[],
  privateFolders: readonly string[] = [],
): Promise<Result<SandboxLaunch, HostProblem>> {
  if (process.platform !== 'linux') return failed({ kind: 'no-linux' });
  const [bwrap] = await executablesNamed('bwrap');
  if (bwrap === undefined) return failed({ kind: 'no-bwrap' });
  const plan = {
    python: python.path,
    pythonFolders: requiredPaths(python),
    runnerFolder: folder,
    rootEntries: await rootEntries(),
    hidden: await realFolders([homedir(), userInfo().homedir, ...privateFolders]),
    features: featuresOf((await outputOf(bwrap, ['--version'])) ?? ''),
  };
  let problem: string | null = null;
  for (const kind of kinds) {
    // Without a limit on the size of /tmp, one candidate could fill it for the next.
    if (kind === 'shared' && !plan.features.sizedTmp) continue;
    const launch = launchOf(bwrap, sandboxArguments({ ...plan, way: kind }), kind);
    problem = await probeLaunch(launch);
    if (problem === null) return ok({ kind, launch });
  }
  return failed({ kind: 'broken-sandbox', detail: problem ?? '', python: python.path });
}

function launchOf(bwrap: string, args: readonly string[], kind: SandboxKind): Launcher['launch'] {
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  // With `nested`, the runner's parent is in the candidate's user namespace too (namespaces.py).
  const ours = kind === 'nested' ? 2 : 1;
  return async () => {
    const child = requirePipes(spawn(bwrap, args, { cwd: '/', env: {}, stdio: 'pipe', ...identity }));
    return {
      process: asRunner(child),
      isReadyEachTime: kind === 'nested',
      processBase: processBase(ours, isRoot ? NOBODY : (process.getuid?.() ?? 0)),
      // --die-with-parent: with bubblewrap ends process 1 of the namespace, and with it the namespace.
      stop: () => void child.kill('SIGKILL'),
      cleanUp: async () => undefined,
    };
  };
}

/**
 * Real paths of those that exist. As root only those that others can enter: bubblewrap then runs as nobody, which can
 * neither cover nor read the rest.
 */
async function realFolders(paths: readonly string[]): Promise<string[]> {
  const isRoot = process.getuid?.() === 0;
  const real = await Promise.all(
    [...new Set(paths)].map(async (path) => {
      const folder = await realpath(path).catch(() => null);
      return folder !== null && (!isRoot || (await isOpenToAll(folder))) ? folder : null;
    }),
  );
  return [...new Set(real.flatMap((path) => path ?? []))];
}

/** May every user enter it and all that it lies in? */
async function isOpenToAll(folder: string): Promise<boolean> {
  return (await outermostClosed(folder)) === null;
}

/** The outermost of a folder and those that it lies in that not every user may enter; null: all may. */
async function outermostClosed(folder: string): Promise<string | null> {
  let closed: string | null = null;
  for (let path = folder; path !== '/'; path = dirname(path)) {
    const stats = await stat(path).catch(() => null);
    if (stats === null || !stats.isDirectory() || (stats.mode & 0o001) === 0) closed = path;
  }
  return closed;
}

/**
 * As root, where sandboxes run as nobody: what of these paths, or which folder above, that user cannot read. null: it can
 * read all, or this is not root.
 */
export async function unreadableForNobody(paths: readonly string[]): Promise<string | null> {
  if (process.getuid?.() !== 0) return null;
  for (const path of paths) {
    const closed = await outermostClosed(dirname(path));
    if (closed !== null) return closed;
    const stats = await stat(path).catch(() => null);
    const needed = stats?.isDirectory() ? 0o005 : 0o004;
    if (stats === null || (stats.mode & needed) !== needed) return path;
  }
  return null;
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
