import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Until the first byte, redirects included. */
const ANSWER_MS = 15_000;
/** A transfer that stands still is given up. */
const STALL_MS = 30_000;

/** Downloads a file, and answers its SHA-512 in base 64. Rejects with an Error that says why in a few words. */
export async function downloadFile(address: string, to: string, mostBytes: number): Promise<string> {
  const abort = new AbortController();
  const giveUpAfter = (ms: number, why: string) => setTimeout(() => abort.abort(new Error(why)), ms);
  let timer = giveUpAfter(ANSWER_MS, `${address} does not answer`);
  try {
    const response = await fetch(address, { signal: abort.signal });
    if (!response.ok || response.body === null) throw new Error(`${address} answered ${response.status}`);
    const hash = createHash('sha512');
    let bytes = 0;
    const measure = new Transform({
      transform: (chunk: Buffer, _, done) => {
        clearTimeout(timer);
        timer = giveUpAfter(STALL_MS, `${address} stopped in the middle`);
        bytes += chunk.length;
        hash.update(chunk);
        done(bytes > mostBytes ? new Error(`${address} sends more than expected`) : null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(response.body), measure, createWriteStream(to, { mode: 0o600 }));
    return hash.digest('base64');
  } catch (error) {
    if (abort.signal.aborted) throw abort.signal.reason;
    const { cause } = error as { readonly cause?: unknown };
    throw cause instanceof Error ? new Error(`${address}: ${cause.message}`) : error;
  } finally {
    clearTimeout(timer);
  }
}
