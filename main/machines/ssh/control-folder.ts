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
const MAX_PATH_BYTES = 103 - 17 - '/0123456789abcdef-999999'.length;

/** A process may be about to listen at a socket this young. */
const YOUNG_MS = 60_000;

/** Removes our sockets at which no process listens any more: those of a killed app. */
export async function removeOldSockets(folder: string, nowMs: number): Promise<void> {
  // A folder or file that cannot be read or removed leaves only unused names behind.
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((entry) => /^[0-9a-f]{16}(-\d+)?$/.test(entry))) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    if (stats === null || nowMs - stats.mtimeMs < YOUNG_MS || (await hasListener(path))) continue;
    await rm(path, { force: true }).catch(() => undefined); // an unused name stays
  }
}

function hasListener(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection({ path });
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', (error) => resolve(systemErrorCode(error) !== 'ECONNREFUSED'));
  });
}

/** The folder for sockets: the requested one, or a new one of this user alone where that is null or too long. */
export function controlFolder(requested: string | null): {
  readonly path: string;
  readonly dispose: () => Promise<void>;
} {
  if (requested !== null && Buffer.byteLength(requested) <= MAX_PATH_BYTES && !/[:%]/.test(requested))
    return { path: requested, dispose: async () => undefined };
  const short = mkdtempSync(
    join(Buffer.byteLength(tmpdir()) <= MAX_PATH_BYTES - 10 ? tmpdir() : '/tmp', 'm2-'),
  );
  return { path: short, dispose: () => rm(short, { recursive: true, force: true }) };
}
