import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Adds all bytes of a file of any size to a hash, and answers the hash. Throws what reading throws. */
export async function hashFile(path: string, hash: Hash): Promise<Hash> {
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash;
}
