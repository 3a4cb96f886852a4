import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf } from '../storage';
import { type FolderEntry, folderScript, readFolderEntries, sendFileScript } from './logic/folder-entries';
import { type AsyncResult, type Machine, spawnScript } from './machine';

/** Digests of large files on a network disk take their time. */
const DIGEST_MS = 1_800_000;
/** Left free on this computer's disk. */
const RESERVE_BYTES = 500_000_000;

/**
 * Copies a folder of regular files from a machine to this computer, which never shows a part of it: files are written
 * beside the place, compared with their digests there, and moved into it together. Does nothing where the place exists.
 * Refused before the first byte if the disk here has too little room. Gives the bytes that were copied.
 */
export async function fetchFolder(
  machine: Machine,
  from: string,
  to: string,
): AsyncResult<{ readonly bytes: number }> {
  const isThere = await stat(to).then(
    () => true,
    () => false,
  );
  if (isThere) return ok({ bytes: 0 });
  const listing = await machine.run(folderScript(from), { timeoutMs: DIGEST_MS });
  if (!listing.ok) return listing;
  const entries = readFolderEntries(listing.value.stdout);
  if (listing.value.code !== 0 || entries === null) {
    const reason = listing.value.stderr.trim().split('\n').at(-1) || 'its files cannot be listed';
    return failed(cannot(machine, from, reason));
  }
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const draft = join(dirname(to), `.incoming-${randomUUID()}`);
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(dirname(to));
    if (bavail * bsize < bytes + RESERVE_BYTES) {
      const free = `${(bytes / 1e9).toFixed(2)} GB do not fit into the ${((bavail * bsize) / 1e9).toFixed(2)} GB that are free here`;
      return failed(cannot(machine, from, free));
    }
    for (const entry of entries) {
      const copied = await fetchFile(machine, from, entry, join(draft, entry.name));
      if (!copied.ok) return copied;
    }
    await rename(draft, to);
    return ok({ bytes });
  } catch (error) {
    return failed(cannot(machine, from, reasonOf(error)));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function fetchFile(
  machine: Machine,
  folder: string,
  { name, bytes, sha256 }: FolderEntry,
  to: string,
): Promise<Result<null, Refusal>> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  // Read at once: Node drops the output of a process that has ended without a reader.
  const sender = await spawnScript(machine, sendFileScript(join(folder, name), bytes));
  if (!sender.ok) return sender;
  sender.value.stderr.resume();
  sender.value.stdin.end();
  const hash = createHash('sha256');
  const digesting = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(sender.value.stdout, digesting, createWriteStream(to, { mode: 0o600, flush: true }));
  } catch (error) {
    sender.value.kill();
    throw error;
  }
  const { code } = await sender.value.ended;
  if (code === null) {
    return failed({
      code: 'unreachable',
      message: `The connection to ${machine.spec.name} was cut while ${name} was copied from it.`,
    });
  }
  if (hash.digest('hex') === sha256) return ok(null);
  return failed(cannot(machine, folder, `the copy of ${name} differs from the original`));
}

function cannot(machine: Machine, from: string, reason: string): Refusal {
  return {
    code: 'unavailable',
    message: `Cannot copy ${from} from ${machine.spec.name} to this computer: ${reason}.`,
  };
}
