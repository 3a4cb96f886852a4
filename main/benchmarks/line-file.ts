import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { canonicalJson } from '../base';

/** Bytes to gather before a write: a system call per line would take most of the time. */
const BUFFER_BYTES = 1024 * 1024;

/** The SHA-256 (hex) of a list's canonical JSON, computed item by item; it depends only on the list. */
export class ListDigest {
  readonly #hash = createHash('sha256').update('[');
  #items = 0;

  /** `json` is the canonical JSON of the next item. */
  add(json: string | Buffer): void {
    this.begin();
    this.addPart(json);
  }

  /** The next item follows in parts. */
  begin(): void {
    if (this.#items > 0) this.#hash.update(',');
    this.#items += 1;
  }

  addPart(json: string | Buffer): void {
    this.#hash.update(json);
  }

  finish(): string {
    return this.#hash.update(']').digest('hex');
  }
}

/** Where a line stands in its file, without its newline, and the SHA-256 (hex) of its bytes. */
export type LineLocation = { readonly offset: number; readonly bytes: number; readonly digest: string };

/** Writes values as canonical JSON lines into a new file, and digests them. */
export class LineFile {
  readonly #handle: FileHandle;
  readonly #digest = new ListDigest();
  #buffer: string[] = [];
  #bufferLength = 0;
  #offset = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, 'wx'));
  }

  add(value: unknown): Promise<LineLocation> {
    return this.addParts([canonicalJson(value)]);
  }

  /** A value whose canonical JSON comes in parts, so that it need not be in memory as a whole. */
  async addParts(parts: AsyncIterable<string> | Iterable<string>): Promise<LineLocation> {
    const hash = createHash('sha256');
    let bytes = 0;
    this.#digest.begin();
    for await (const part of parts) {
      this.#digest.addPart(part);
      hash.update(part, 'utf8');
      bytes += Buffer.byteLength(part);
      await this.#write(part);
    }
    const location = { offset: this.#offset, bytes, digest: hash.digest('hex') };
    this.#offset += bytes + 1;
    await this.#write('\n');
    return location;
  }

  /** Syncs the file and returns the digest of all its values. */
  async finish(): Promise<string> {
    await this.#flush();
    await this.#handle.sync();
    return this.#digest.finish();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #write(text: string): Promise<void> {
    this.#buffer.push(text);
    this.#bufferLength += text.length;
    if (this.#bufferLength >= BUFFER_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#buffer.join('');
    this.#buffer = [];
    this.#bufferLength = 0;
    await this.#handle.appendFile(text, 'utf8');
  }
}
