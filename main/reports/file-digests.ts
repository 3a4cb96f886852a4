import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';

export type FileDigest = { readonly name: string; readonly bytes: number; readonly sha256: string };

/** `lastLine`: the SHA-256 of its last line. */
export type JournalDigest = Omit<FileDigest, 'name'> & { readonly lastLine: string };

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

/** SHA-256 of a journal's last line, its newline included; null: there is no such file. Reads nothing before it. */
async function lastLineDigest(path: string): Promise<string | null> {
  const handle = await open(path, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    for (let held = Math.min(size, 64 * 1024); ; held = Math.min(size, 4 * held)) {
      const bytes = Buffer.alloc(held);
      await handle.read(bytes, 0, held, size - held);
      const before = bytes.subarray(0, Math.max(0, held - 1)).lastIndexOf(0x0a);
      if (before === -1 && held < size) continue;
      return createHash('sha256')
        .update(bytes.subarray(before + 1))
        .digest('hex');
    }
  } finally {
    await handle.close();
  }
}

/** What a journal is now; `packed`: its digest where that is known. null: there is no journal. */
export async function journalDigest(
  path: string,
  packed: Omit<FileDigest, 'name'> | undefined,
): Promise<JournalDigest | null> {
  const lastLine = await lastLineDigest(path);
  const whole = packed ?? (await digestOfFile(path));
  return whole === null || lastLine === null ? null : { bytes: whole.bytes, sha256: whole.sha256, lastLine };
}
