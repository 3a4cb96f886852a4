import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Adds all bytes of a file of any size to a hash, and answers the hash. Throws what reading throws. */
export async function hashFile(path: string, hash: Hash): Promise<Hash> {
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash;
}

/** SHA-256 of a file of any size, in hex. Throws what reading throws. */
export async function sha256OfFile(path: string): Promise<string> {
  return (await hashFile(path, createHash('sha256'))).digest('hex');
}
