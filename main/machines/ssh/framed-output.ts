import { randomBytes } from 'node:crypto';
import type { Marks } from '../logic/shell-scripts';

const LINE_FEED = 10;

/** A mark has at most so many bytes behind its name: two numbers. */
const MAX_MARK_NUMBERS_BYTES = 64;

/** Neither mark can be derived from the other. */
export function newMarks(): Marks {
  return { begin: randomBytes(12).toString('hex'), end: randomBytes(12).toString('hex') };
}

/**
 * One stream of a script that runs in a shell: reads a mark line, then what the script wrote (anything), then another
 * mark line. Output before the first mark does not come from the script.
 */
export class FramedOutput {
  readonly #begin: Buffer;
  readonly #end: Buffer;
  readonly #limit: { readonly bytes: number; readonly keep: 'all' | 'last' };
  #state: 'before' | 'inside' | 'after' = 'before';
  #beginFields: readonly string[] = [];
  #endFields: readonly string[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  /** The last bytes, in which a mark may have begun. */
  #rest: Buffer = Buffer.alloc(0);

  /** `last`: only the last so many bytes are kept; `all`: more of them is `isFlooded`. */
  constructor(marks: Marks, limit: { readonly bytes: number; readonly keep: 'all' | 'last' }) {
    this.#begin = Buffer.from(marks.begin);
    this.#end = Buffer.from(marks.end);
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#state === 'before') this.#findBegin();
    if (this.#state === 'inside') this.#findEnd();
  }

  get hasBegun(): boolean {
    return this.#state !== 'before';
  }

  get isComplete(): boolean {
    return this.#state === 'after';
  }

  get isFlooded(): boolean {
    return this.#limit.keep === 'all' && this.#size > this.#limit.bytes;
  }

  /** Words behind the begin mark. */
  get beginFields(): readonly string[] {
    return this.#beginFields;
  }

  get endFields(): readonly string[] {
    return this.#endFields;
  }

  /** The output between the marks, or before the first mark as long as that has not arrived. */
  bytes(): Buffer {
    const all = Buffer.concat(this.#state === 'inside' ? [...this.#chunks, this.#rest] : this.#chunks);
    return this.#limit.keep === 'last' ? all.subarray(-this.#limit.bytes) : all;
  }

  #findBegin(): void {
    const line = markLine(this.#rest, this.#begin);
    if (line === null) {
      const from = this.#rest.indexOf(this.#begin);
      // A greeting may be long; only a mark that has begun matters.
      if (from < 0) this.#rest = this.#rest.subarray(-this.#begin.length - MAX_MARK_NUMBERS_BYTES);
      return;
    }
    this.#state = 'inside';
    this.#beginFields = line.words;
    this.#rest = this.#rest.subarray(line.after);
  }

  #findEnd(): void {
    const line = markLine(this.#rest, this.#end);
    if (line !== null) {
      this.#keep(this.#rest.subarray(0, line.at));
      this.#endFields = line.words;
      this.#rest = Buffer.alloc(0);
      this.#state = 'after';
      return;
    }
    const at = this.#rest.indexOf(this.#end);
    const sure = at >= 0 ? at : Math.max(0, this.#rest.length - this.#end.length - MAX_MARK_NUMBERS_BYTES);
    this.#keep(this.#rest.subarray(0, sure));
    this.#rest = this.#rest.subarray(sure);
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    if (this.isFlooded) return;
    this.#chunks.push(bytes);
    if (this.#limit.keep === 'all' || this.#size < 2 * this.#limit.bytes) return;
    this.#chunks = [Buffer.concat(this.#chunks).subarray(-this.#limit.bytes)];
    this.#size = this.#limit.bytes;
  }
}

/** The first whole line that begins with the mark, its end included; null when there is none. */
export function markLine(
  bytes: Buffer,
  mark: Buffer,
): { readonly at: number; readonly after: number; readonly words: readonly string[] } | null {
  const at = bytes.indexOf(mark);
  if (at < 0) return null;
  const lineEnd = bytes.indexOf(LINE_FEED, at + mark.length);
  if (lineEnd < 0) return null;
  const words = bytes
    .subarray(at + mark.length, lineEnd)
    .toString('latin1')
    .trim()
    .split(' ');
  return { at, after: lineEnd + 1, words };
}
