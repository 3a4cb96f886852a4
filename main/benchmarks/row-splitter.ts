import { JsonListSplitter } from './logic/json-list-splitter';

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * One row: a line, or an entry of a JSON list, in the pieces that it was read in. Joining the pieces of a line of 100
 * MB would take as much memory again, so use the pieces where possible. `number` counts from 1; `location` is for
 * messages: "line 3", "entry 3".
 */
export type FileRow = {
  readonly pieces: readonly Buffer[];
  readonly number: number;
  readonly location: string;
};

export function bytesOf({ pieces }: FileRow): Buffer {
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat([...pieces]);
}

/** The line that begins at `location` is longer than allowed. */
export class RowTooLongError extends Error {
  constructor(readonly location: string) {
    super(`${location} is too long`);
  }
}

/**
 * Cuts chunks into rows: lines, or, if `mayBeList` and the first character is "[", the entries of a JSON list. Holds no
 * more than a row. Chunks are kept by reference.
 */
export class RowSplitter {
  readonly #maxBytes: number;
  readonly #mayBeList: boolean;
  #list: JsonListSplitter | null = null;
  #begun = false;
  #count = 0;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(maxRowBytes: number, mayBeList: boolean) {
    this.#maxBytes = maxRowBytes;
    this.#mayBeList = mayBeList;
  }

  *push(chunk: Buffer): Iterable<FileRow> {
    const bytes = this.#begun ? chunk : this.#begin(chunk);
    if (this.#list === null) yield* this.#lines(bytes);
    else for (const pieces of this.#list.push(bytes)) yield this.#row(pieces.map(asBuffer));
  }

  /** What came after the last line end. */
  *finish(): Iterable<FileRow> {
    this.#list?.finish();
    if (this.#heldBytes > 0) yield this.#row(this.#held);
  }

  #begin(chunk: Buffer): Buffer {
    // Some editors put a byte order mark in front of a file.
    const bytes = chunk.subarray(0, 3).equals(BYTE_ORDER_MARK) ? chunk.subarray(3) : chunk;
    const first = bytes.toString('latin1', 0, 4096).trimStart();
    this.#begun = first !== '';
    if (this.#mayBeList && first.startsWith('[')) this.#list = new JsonListSplitter(this.#maxBytes);
    return bytes;
  }

  *#lines(chunk: Buffer): Iterable<FileRow> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      const pieces = this.#held;
      this.#held = [];
      this.#heldBytes = 0;
      start = end + 1;
      yield this.#row(pieces);
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  #hold(piece: Buffer): void {
    this.#heldBytes += piece.length;
    if (this.#heldBytes > this.#maxBytes) throw new RowTooLongError(`line ${this.#count + 1}`);
    this.#held.push(piece);
  }

  #row(pieces: readonly Buffer[]): FileRow {
    this.#count += 1;
    return {
      pieces,
      number: this.#count,
      location: `${this.#list === null ? 'line' : 'entry'} ${this.#count}`,
    };
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
