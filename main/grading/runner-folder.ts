import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** The name has the owner's process id, so that a later grader can remove the folders of a killed one. */
const PROCESS_FOLDER = /^mars2-(?:grader|candidate)-(\d+)-/;

/** A temporary folder of this process, for its user only. */
export function makeProcessFolder(purpose: 'grader' | 'candidate'): Promise<string> {
  return mkdtemp(join(tmpdir(), `mars2-${purpose}-${process.pid}-`));
}

/** Removes the folders of processes that were killed before they could clean up. */
async function removeOrphanFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = PROCESS_FOLDER.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    // One of another user cannot be removed; none is ever used again.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

const PACKAGE = 'mars2_grader';

/** Next to the runner's package: links to the interpreter's packages that programs can import (runner.py). */
export const PACKAGES_FOLDER = 'packages';

/**
 * A private copy of the runner's package, compiled once for this interpreter: sandboxes bind it read-only. A copy,
 * because the original may lie where the sandbox's user cannot read, or inside an application archive.
 */
export async function makeRunnerFolder(
  resourcesDir: string,
  python: string,
  packagePaths: readonly string[],
): Promise<string> {
  await removeOrphanFolders();
  const folder = await makeProcessFolder('grader');
  const source = join(resourcesDir, 'grader', PACKAGE);
  await mkdir(join(folder, PACKAGE));
  for (const name of await readdir(source)) {
    if (name.endsWith('.py')) await copyFile(join(source, name), join(folder, PACKAGE, name));
  }
  await compile(folder, python);
  await mkdir(join(folder, PACKAGES_FOLDER));
  for (const path of packagePaths) await symlink(path, join(folder, PACKAGES_FOLDER, basename(path)));
  await makeReadable(folder);
  return folder;
}

/** Errors are ignored: Python then compiles at each start. */
function compile(folder: string, python: string): Promise<void> {
  return new Promise((resolve) => {
    execFile(python, ['-I', '-S', '-m', 'compileall', '-q', folder], { timeout: 30_000 }, () => resolve());
  });
}

/** Readable for all, whatever the umask: as root, sandboxes run as another user. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) await makeReadable(path);
    else await chmod(path, 0o644);
  }
}
