import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { canonicalJson } from './logic/canonical-json';

/** Bytes to gather before a write: a system call per line would be most of the time. */
const BUFFER_BYTES = 1024 * 1024;

/**
 * The SHA-256 (hex) over the canonical JSON of a list, fed item by item: of the same list it is the same however
 * the items came here.
 */
export class ListDigest {
  readonly #hash = createHash('sha256').update('[');
  #items = 0;

  /** `json` is the canonical JSON of the next item. */
  add(json: string): void {
    if (this.#items > 0) this.#hash.update(',');
    this.#hash.update(json, 'utf8');
    this.#items += 1;
  }

  finish(): string {
    return this.#hash.update(']').digest('hex');
  }
}

/** Writes values as canonical JSON lines into a new file, and digests them. */
export class LineFile {
  readonly #handle: FileHandle;
  readonly #digest = new ListDigest();
  #waiting: string[] = [];
  #waitingLength = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async create(path: string): Promise<LineFile> {
    return new LineFile(await open(path, 'wx'));
  }

  async add(value: unknown): Promise<void> {
    const json = canonicalJson(value);
    this.#digest.add(json);
    this.#waiting.push(json, '\n');
    this.#waitingLength += json.length + 1;
    if (this.#waitingLength >= BUFFER_BYTES) await this.#flush();
  }

  /** Makes the file last and gives the digest of all its values. */
  async finish(): Promise<string> {
    await this.#flush();
    await this.#handle.sync();
    return this.#digest.finish();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #flush(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingLength = 0;
    await this.#handle.appendFile(text, 'utf8');
  }
}
