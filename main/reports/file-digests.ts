import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

export type FileDigest = { readonly name: string; readonly bytes: number; readonly sha256: string };

/**
 * What a journal was: its size, and the SHA-256 of that many bytes. Together they bind every line, and a journal that only
 * got longer still begins with them. (Earlier manifests have a digest of the last line, too, which says nothing of the others.)
 */
export type JournalDigest = Omit<FileDigest, 'name'>;

export function digestOf(name: string, bytes: Buffer): FileDigest {
  return { name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Of the whole file or its first `most` bytes; `whole`: nothing follows them. null: there is no such file. */
export async function digestOfFile(
  path: string,
  most = Number.POSITIVE_INFINITY,
): Promise<(Omit<FileDigest, 'name'> & { readonly whole: boolean }) | null> {
  const status = await stat(path).catch(() => null);
  if (status === null || !status.isFile()) return null;
  const hash = createHash('sha256');
  let bytes = 0;
  // `end` is inclusive.
  const part = Number.isFinite(most) ? { end: Math.max(0, most - 1) } : {};
  for await (const chunk of createReadStream(path, part) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex'), whole: status.size <= bytes };
}

/** What a journal is now; `packed`: its digest where that is known. null: there is no journal. */
export async function journalDigest(
  path: string,
  packed: JournalDigest | undefined,
): Promise<JournalDigest | null> {
  const now = packed ?? (await digestOfFile(path));
  return now === null ? null : { bytes: now.bytes, sha256: now.sha256 };
}
