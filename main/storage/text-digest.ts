import { createHash } from 'node:crypto';

/** The first 16 hex digits of SHA-256: identifies prompts and programs in journals and recordings. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
