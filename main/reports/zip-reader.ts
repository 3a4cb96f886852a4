import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { makeFolder } from '../storage/index';
import { type ArchiveEntry, archiveProblem, MAX_FILES } from './logic/bundle-limits';

/** The file is not a valid bundle. The message goes after "cannot be opened: ". */
export class InvalidBundle extends Error {}

/** The place, and the words of the library that unpacks. */
function damaged(place: string, error: unknown): InvalidBundle {
  if (error instanceof InvalidBundle) return error;
  return new InvalidBundle(
    `${place} cannot be read (${error instanceof Error ? error.message : String(error)})`,
  );
}

const described = (entry: Entry): ArchiveEntry => ({
  name: entry.fileName,
  packed: entry.compressedSize,
  bytes: entry.uncompressedSize,
  at: entry.relativeOffsetOfLocalHeader,
});

/** The entries of a ZIP by name, unpacked on request. */
export class ZipReader {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /**
   * Throws `InvalidBundle` if the file is no ZIP, contains a name twice, more than `most` files, or would take more space
   * than its size justifies (see `archiveProblem`). What it says of its sizes is held to while it is unpacked.
   */
  static async open(path: string, most = MAX_FILES): Promise<ZipReader> {
    let zip: ZipFile;
    let archiveBytes: number;
    try {
      archiveBytes = (await stat(path)).size;
      zip = await openPromise(path, { autoClose: false });
    } catch (error) {
      throw damaged('its list of files', error);
    }
    const entries = new Map<string, Entry>();
    try {
      for await (const entry of zip.eachEntry()) {
        if (entries.has(entry.fileName)) throw new InvalidBundle(`it contains ${entry.fileName} twice`);
        if (entries.size >= most) throw new InvalidBundle(`it contains more than ${most} files`);
        entries.set(entry.fileName, entry);
      }
      const problem = archiveProblem([...entries.values()].map(described), archiveBytes);
      if (problem !== null) throw new InvalidBundle(problem);
    } catch (error) {
      zip.close();
      throw damaged('its list of files', error);
    }
    return new ZipReader(zip, entries);
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Bytes that a file says to have when it is unpacked; null: it is missing. */
  sizeOf(name: string): number | null {
    return this.#entries.get(name)?.uncompressedSize ?? null;
  }

  /** A small file in memory; null: it is missing. Throws `InvalidBundle` when it is larger than `most` bytes. */
  async read(name: string, most: number): Promise<Buffer | null> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return null;
    const chunks: Buffer[] = [];
    for await (const chunk of this.#pieces(entry, most)) {
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /**
   * Unpacks a file to `folder`/`name` and gives its digest. Throws `InvalidBundle` when it is larger than `most` bytes,
   * and the signal's reason.
   */
  async unpack(
    name: string,
    folder: string,
    most: number,
    {
      signal,
      unpacked,
    }: { readonly signal?: AbortSignal | undefined; readonly unpacked?: (bytes: number) => void } = {},
  ): Promise<string> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new InvalidBundle(`${name} is missing`);
    const path = join(folder, name);
    await makeFolder(dirname(path));
    const hash = createHash('sha256');
    const pieces = this.#pieces(entry, most);
    await pipeline(async function* hashed() {
      for await (const chunk of pieces) {
        signal?.throwIfAborted();
        hash.update(chunk);
        unpacked?.(chunk.length);
        yield chunk;
      }
    }, createWriteStream(path));
    return hash.digest('hex');
  }

  close(): void {
    this.#zip.close();
  }

  async *#pieces(entry: Entry, most: number): AsyncGenerator<Buffer> {
    const name = entry.fileName;
    let bytes = 0;
    try {
      const stream: Readable = await this.#zip.openReadStreamPromise(entry);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > most) throw new InvalidBundle(`${name} is larger than declared`);
        yield chunk;
      }
    } catch (error) {
      throw damaged(`${name}, behind ${bytes} bytes of it,`, error);
    }
  }
}
