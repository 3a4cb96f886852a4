import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from '../storage';

// A dot in front is no id of the library, so a folder in the making is never taken for a finished one.
const PREFIX = '.importing-';

async function ownerOf(pid: number): Promise<string | null> {
  const start = await processStart(pid);
  return start === null ? null : `${pid}-${createHash('sha256').update(start).digest('hex').slice(0, 12)}`;
}

/** A new folder beside the finished ones, named for this process so that it can be told from abandoned ones. */
export async function makeStagingFolder(root: string): Promise<string> {
  await mkdir(root, { recursive: true });
  const owner = (await ownerOf(process.pid)) ?? `${process.pid}-unknown`;
  const path = join(root, `${PREFIX}${owner}-${randomBytes(6).toString('hex')}`);
  await mkdir(path);
  return path;
}

/** Removes what imports left whose process was killed. */
export async function sweepStagingFolders(root: string): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names) {
    const match = /^\.importing-((\d+)-[^-]+)-/.exec(name);
    if (match === null || (await ownerOf(Number(match[2]))) === match[1]) continue;
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined); // harmless litter
  }
}
