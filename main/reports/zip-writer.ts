import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Zip, ZipDeflate } from 'fflate';

/** Pieces of this size are packed at once: a few milliseconds, so that nothing else has to wait. */
const PIECE = 64 * 1024;
/** The ZIP form without its 64-bit extension holds no more. */
export const LARGEST_ZIP = 3.9e9;

/** A moment that ZIP can say, the same in every time zone: files of a bundle have no time of their own. */
const NO_TIME = new Date(1980, 0, 1);

export type PackedFile = { readonly name: string; readonly bytes: number; readonly sha256: string };

/**
 * Writes a ZIP file by file. Its compressor is our own dependency, not the system's, so equal files give equal bytes on
 * every computer. Throws the system's errors; `close` must be called either way.
 */
export class ZipWriter {
  readonly #handle: FileHandle;
  readonly #zip: Zip;
  #waiting: Uint8Array[] = [];
  #error: Error | null = null;
  #bytes = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
    this.#zip = new Zip((error, chunk) => {
      if (error !== null) this.#error = error;
      else this.#waiting.push(chunk);
    });
  }

  static async create(path: string): Promise<ZipWriter> {
    return new ZipWriter(await open(path, 'w'));
  }

  async addBytes(name: string, content: Buffer): Promise<PackedFile> {
    return this.#add(name, async function* pieces() {
      for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE);
    });
  }

  /** The first `bytes` of a file: one that grows meanwhile is taken as it was. */
  async addFile(name: string, path: string, bytes: number): Promise<PackedFile> {
    const source = await open(path, 'r');
    try {
      return await this.#add(name, async function* pieces() {
        for (let at = 0; at < bytes; ) {
          const piece = Buffer.alloc(Math.min(PIECE, bytes - at));
          const { bytesRead } = await source.read(piece, 0, piece.length, at);
          if (bytesRead === 0) throw new Error(`${path} has become shorter while it was read`);
          at += bytesRead;
          yield piece.subarray(0, bytesRead);
        }
      });
    } finally {
      await source.close();
    }
  }

  /** Ends the archive. Bytes of the whole. */
  async finish(): Promise<number> {
    this.#zip.end();
    await this.#flush();
    await this.#handle.sync();
    return this.#bytes;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #add(name: string, pieces: () => AsyncIterable<Buffer>): Promise<PackedFile> {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = NO_TIME;
    this.#zip.add(entry);
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of pieces()) {
      hash.update(piece);
      bytes += piece.length;
      entry.push(piece);
      await this.#flush();
    }
    entry.push(new Uint8Array(0), true);
    await this.#flush();
    return { name, bytes, sha256: hash.digest('hex') };
  }

  async #flush(): Promise<void> {
    const chunks = this.#waiting;
    this.#waiting = [];
    if (this.#error !== null) throw this.#error;
    for (const chunk of chunks) {
      await this.#handle.write(chunk);
      this.#bytes += chunk.length;
    }
  }
}
