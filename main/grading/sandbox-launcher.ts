import { spawn } from 'node:child_process';
import { lstat, readlink } from 'node:fs/promises';
import { failed, ok, type Result } from '../base';
import { executablesNamed, outputOf } from './executables';
import { asRunner, type Launcher, type LauncherKind, started, tryOnce } from './launcher';
import { featuresOf, type RootEntry, sandboxArguments } from './logic/sandbox-arguments';
import type { HostTrouble } from './logic/sandbox-refusal';
import { foldersOf, type PythonInterpreter } from './python-interpreter';
import { processBase } from './task-count';

/** "nobody": as root, sandboxes run as this user, because the kernel exempts root from the limit on processes. */
const NOBODY = 65_534;

type SandboxKind = Exclude<LauncherKind, 'bare'>;
type SandboxLaunch = { readonly kind: SandboxKind; readonly launch: Launcher['launch'] };

/** The first of these kinds that starts on this computer, tried once; else why none does. */
export async function sandboxLaunch(
  python: PythonInterpreter,
  folder: string,
  kinds: readonly SandboxKind[],
): Promise<Result<SandboxLaunch, HostTrouble>> {
  if (process.platform !== 'linux') return failed({ kind: 'no-linux' });
  const [bwrap] = await executablesNamed('bwrap');
  if (bwrap === undefined) return failed({ kind: 'no-bwrap' });
  const plan = {
    python: python.path,
    pythonFolders: foldersOf(python),
    runnerFolder: folder,
    rootEntries: await rootEntries(),
    features: featuresOf((await outputOf(bwrap, ['--version'])) ?? ''),
  };
  let trouble: string | null = null;
  for (const kind of kinds) {
    // Without a limit on /tmp's size a sandbox would keep for the next candidate that it is full.
    if (kind === 'shared' && !plan.features.sizedTmp) continue;
    const launch = launchOf(bwrap, sandboxArguments({ ...plan, way: kind }), kind);
    trouble = await tryOnce(launch);
    if (trouble === null) return ok({ kind, launch });
  }
  return failed({ kind: 'broken-sandbox', detail: trouble ?? '', python: python.path });
}

function launchOf(bwrap: string, args: readonly string[], kind: SandboxKind): Launcher['launch'] {
  const isRoot = process.getuid?.() === 0;
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  // A nested runner has its parent beside it in the candidate's user namespace (nest.py).
  const ours = kind === 'nested' ? 2 : 1;
  return async () => {
    const child = started(spawn(bwrap, args, { cwd: '/', env: {}, stdio: 'pipe', ...identity }));
    return {
      process: asRunner(child),
      isReadyEachTime: kind === 'nested',
      processBase: processBase(ours, isRoot ? NOBODY : (process.getuid?.() ?? 0)),
      // --die-with-parent: with bubblewrap ends process 1 of the namespace, and with it the namespace.
      stop: () => void child.kill('SIGKILL'),
      tidy: async () => undefined,
    };
  };
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
