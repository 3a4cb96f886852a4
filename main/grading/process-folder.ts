import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The name has the owner's process id, so that a later grader can remove what a killed one has left. */
const OWN_FOLDER = /^mars2-(?:grader|candidate)-(\d+)-/;

/** A temporary folder of this process, for its user only. */
export function makeProcessFolder(purpose: 'grader' | 'candidate'): Promise<string> {
  return mkdtemp(join(tmpdir(), `mars2-${purpose}-${process.pid}-`));
}

/** Removes the folders of processes that were killed before they could clean up. */
export async function removeOrphanFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = OWN_FOLDER.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
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
