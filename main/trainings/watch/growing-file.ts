import type { Refusal } from '../../../preload/contract';
import { ok, type Result } from '../../base';
import { readStored } from '../../jobs';
import type { Machine } from '../../machines';

/** Bytes per read: about 50 ms of work, between which other work can run; smaller pieces cost round trips. */
const PIECE_BYTES = 1_048_576;
/** Bytes before the offset that must be unchanged; otherwise the file was replaced. */
const OVERLAP_BYTES = 64;

const LINE_END = new Uint8Array([10]);

/** Receives the file's content. */
export type FileReader = {
  readonly push: (bytes: Uint8Array) => void;
  /** The file was truncated or replaced: it is read again from its start. */
  readonly restart: () => void;
};

/** Follows a file on a machine by offset, even if it is truncated or replaced. */
export class GrowingFile {
  readonly #machine: Machine;
  readonly path: string;
  readonly #reader: FileReader;
  #offset = 0;
  #before: Uint8Array = new Uint8Array(0);

  constructor(machine: Machine, path: string, reader: FileReader) {
    this.#machine = machine;
    this.path = path;
    this.#reader = reader;
  }

  /**
   * Reads new data, at most `maxBytes`. An absent file has none. `tailBytes`: on the first read, only so much of the
   * file's end; null: all of it.
   */
  async read(
    maxBytes: number,
    tailBytes: number | null = null,
  ): Promise<Result<{ bytes: number; isBehind: boolean }, Refusal>> {
    let read = 0;
    if (tailBytes !== null && this.#offset === 0) {
      const end = await this.#machine.readSlice(this.path, 0, 0);
      if (!end.ok) return end;
      this.#offset = Math.max(0, (end.value?.size ?? 0) - tailBytes);
    }
    for (;;) {
      const bytesToRead = Math.min(PIECE_BYTES, maxBytes - read);
      if (bytesToRead <= 0) return ok({ bytes: read, isBehind: true });
      const overlap = this.#before.length;
      const slice = await readStored(this.#machine, this.path, this.#offset - overlap, bytesToRead + overlap);
      if (!slice.ok) return slice;
      if (slice.value === null) return ok({ bytes: read, isBehind: false });
      const { bytes, size, start, leftOut } = slice.value;
      if (leftOut !== null && start === leftOut.to && start > this.#offset - overlap) {
        // The file's limit left out what comes next: reading continues behind it, with a line of its own.
        if (start > this.#offset) this.#reader.push(LINE_END);
        this.#offset = Math.max(this.#offset, start);
        this.#before = new Uint8Array(0);
        continue;
      }
      // The last read may end before the left-out part or in it.
      if (leftOut !== null && this.#offset >= leftOut.from && this.#offset < leftOut.to && overlap > 0) {
        this.#before = new Uint8Array(0);
        continue;
      }
      // It is being cut, and has its end again at the next read.
      if (leftOut?.isCut === true && bytes.length === 0) return ok({ bytes: read, isBehind: false });
      if (!startsWith(bytes, this.#before)) {
        this.#offset = 0;
        this.#before = new Uint8Array(0);
        this.#reader.restart();
        continue;
      }
      const fresh = bytes.subarray(overlap);
      if (fresh.length === 0) return ok({ bytes: read, isBehind: false });
      this.#reader.push(fresh);
      this.#offset += fresh.length;
      this.#before = bytes.slice(-OVERLAP_BYTES);
      read += fresh.length;
      if (this.#offset >= size) return ok({ bytes: read, isBehind: false });
    }
  }
}

function startsWith(bytes: Uint8Array, begin: Uint8Array): boolean {
  return bytes.length >= begin.length && begin.every((byte, at) => bytes[at] === byte);
}
