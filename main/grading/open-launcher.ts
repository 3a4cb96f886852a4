import { rm } from 'node:fs/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { bareLaunch } from './bare-launcher';
import { isExecutable } from './executables';
import type { Launcher, LauncherKind } from './launcher';
import { type HostProblem, sandboxRefusal } from './logic/sandbox-refusal';
import { findPackages, findPython } from './python-interpreter';
import { makeRunnerFolder } from './runner-folder';
import { sandboxLaunch } from './sandbox-launcher';

export type LauncherOptions = {
  /** Folder that holds `grader/`. */
  readonly resourcesDir: string;
  /** The user's explicit permission: where no sandbox starts, run candidates with the user's own rights. */
  readonly allowUnsandboxed: boolean;
};

/** Finds the kind of sandbox that this computer can start; the refusal says what is missing and what to type. */
export async function openLauncher(options: LauncherOptions): Promise<Result<Launcher, Refusal>> {
  const kinds: LauncherKind[] = options.allowUnsandboxed
    ? ['shared', 'nested', 'single', 'bare']
    : ['shared', 'nested', 'single'];
  return launcherOf(options.resourcesDir, kinds);
}

/** The first of these kinds that this computer can start. */
export async function launcherOf(
  resourcesDir: string,
  kinds: readonly LauncherKind[],
): Promise<Result<Launcher, Refusal>> {
  const python = await findPython();
  if (python === null) return failed(await describe({ kind: 'no-python' }));
  const { packages, paths } = await findPackages(python.path);
  const folder = await makeRunnerFolder(resourcesDir, python.path, paths);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const common = { python: python.version, packages, dispose: removeFolder };
  const sandboxes = kinds.filter((kind) => kind !== 'bare');
  const sandbox = sandboxes.length > 0 ? await sandboxLaunch(python, folder, sandboxes) : null;
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
