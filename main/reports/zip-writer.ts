import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { Deflate } from 'fflate';
import { userFileMode } from '../storage/index';
import {
  centralHeader,
  endRecords,
  localHeader,
  ZIP_LIMITS,
  type ZipEntry,
  type ZipLimits,
} from './logic/zip-records';

/** Compressed at once: takes a few milliseconds, so that other work can run in between. */
const PIECE = 64 * 1024;
/** Incompressible data grows by 5 bytes per Deflate block, a changed file by a mark for each key: this is far more. */
const MAX_GROWTH = 1.2;

export type PackedFile = { readonly name: string; readonly bytes: number; readonly sha256: string };

export type ZipOptions = {
  /** Called with the bytes of every piece that was packed. */
  readonly packed?: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: ZipLimits;
};

/**
 * Writes a ZIP file by file, of any size. Its compressor is our own dependency, not the system's, so equal files give
 * equal bytes on every computer. Throws the system's errors, and the signal's reason; `close` must be called either
 * way.
 */
export class ZipWriter {
  readonly #handle: FileHandle;
  readonly #options: ZipOptions;
  readonly #limits: ZipLimits;
  readonly #entries: ZipEntry[] = [];
  #bytes = 0;

  private constructor(handle: FileHandle, options: ZipOptions) {
    this.#handle = handle;
    this.#options = options;
    this.#limits = options.limits ?? ZIP_LIMITS;
  }

  static async create(path: string, options: ZipOptions = {}): Promise<ZipWriter> {
    const handle = await open(path, 'w');
    await handle.chmod(userFileMode());
    return new ZipWriter(handle, options);
  }

  async addBytes(name: string, content: Buffer): Promise<PackedFile> {
    return this.#add(name, content.length, async function* pieces() {
      for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE);
    });
  }

  /**
   * Adds the first `bytes` of a file, so a file that grows meanwhile is packed as it was; `change` gets its pieces, and
   * must not make it much longer.
   */
  async addFile(
    name: string,
    path: string,
    bytes: number,
    change: (pieces: AsyncIterable<Buffer>) => AsyncIterable<Buffer> = (pieces) => pieces,
  ): Promise<PackedFile> {
    const source = await open(path, 'r');
    try {
      return await this.#add(name, bytes, () => change(pieces()));
      async function* pieces(): AsyncGenerator<Buffer> {
        for (let at = 0; at < bytes; ) {
          const piece = Buffer.alloc(Math.min(PIECE, bytes - at));
          const { bytesRead } = await source.read(piece, 0, piece.length, at);
          if (bytesRead === 0) throw new Error(`${path} has become shorter while it was read`);
          at += bytesRead;
          yield piece.subarray(0, bytesRead);
        }
      }
    } finally {
      await source.close();
    }
  }

  /** Ends the archive. Returns its size in bytes. */
  async finish(): Promise<number> {
    const at = this.#bytes;
    for (const entry of this.#entries) {
      await this.#append(centralHeader(entry, Buffer.from(entry.name), this.#limits));
    }
    const list = { files: this.#entries.length, at, bytes: this.#bytes - at };
    await this.#append(endRecords(list, this.#limits));
    await this.#handle.sync();
    return this.#bytes;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #add(name: string, bytes: number, pieces: () => AsyncIterable<Buffer>): Promise<PackedFile> {
    const large = bytes * MAX_GROWTH >= this.#limits.bytes;
    const entry = { name, crc32: 0, packed: 0, bytes: 0, at: this.#bytes, large };
    // A placeholder: sizes and checksum are known only after packing, and written over it then.
    await this.#append(localHeader(entry, Buffer.from(name)));
    const offset = this.#bytes;
    const hash = createHash('sha256');
    let waiting: Uint8Array[] = [];
    const deflate = new Deflate({ level: 6 }, (chunk) => waiting.push(chunk));
    const flush = async (): Promise<void> => {
      const chunks = waiting;
      waiting = [];
      for (const chunk of chunks) await this.#append(chunk);
    };
    for await (const piece of pieces()) {
      this.#options.signal?.throwIfAborted();
      hash.update(piece);
      entry.bytes += piece.length;
      entry.crc32 = crc32(piece, entry.crc32);
      deflate.push(piece);
      await flush();
      this.#options.packed?.(piece.length);
    }
    deflate.push(new Uint8Array(0), true);
    await flush();
    entry.packed = this.#bytes - offset;
    const header = localHeader(entry, Buffer.from(name));
    await this.#handle.write(header, 0, header.length, entry.at);
    this.#entries.push(entry);
    return { name, bytes: entry.bytes, sha256: hash.digest('hex') };
  }

  /** Writes at an explicit position, since headers are overwritten later. */
  async #append(bytes: Uint8Array): Promise<void> {
    let written = 0;
    while (written < bytes.length) {
      const { bytesWritten } = await this.#handle.write(
        bytes,
        written,
        bytes.length - written,
        this.#bytes + written,
      );
      written += bytesWritten;
    }
    this.#bytes += bytes.length;
  }
}
