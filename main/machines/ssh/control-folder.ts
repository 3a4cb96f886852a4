import { mkdtempSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemErrorCode } from '../../storage';

/**
 * A socket's path may have 103 bytes on the systems that allow least; ssh adds 17 while it makes one, and a forward
 * has a number.
 */
const LONGEST = 103 - 17 - '/0123456789abcdef-999999'.length;

/** A socket that young may be one that somebody is just about to listen at. */
const YOUNG_MS = 60_000;

/** Removes sockets of ours at which nobody listens any more: those of an app that was killed. */
export async function removeOldSockets(folder: string, nowMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => /^[0-9a-f]{16}(-\d+)?$/.test(one))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found === null || nowMs - found.mtimeMs < YOUNG_MS || (await isServed(path))) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error) => resolve(systemErrorCode(error) !== 'ECONNREFUSED'));
  });
}

/** Where sockets lie: the folder given, or a new one of this user alone where that is too long or there is none. */
export function controlFolder(given: string | null): {
  readonly path: string;
  readonly dispose: () => Promise<void>;
} {
  if (given !== null && Buffer.byteLength(given) <= LONGEST && !/[:%]/.test(given))
    return { path: given, dispose: async () => undefined };
  const short = mkdtempSync(join(Buffer.byteLength(tmpdir()) <= LONGEST - 10 ? tmpdir() : '/tmp', 'm2-'));
  return { path: short, dispose: () => rm(short, { recursive: true, force: true }) };
}
