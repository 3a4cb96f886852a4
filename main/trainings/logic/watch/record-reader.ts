import { maskedCrc32c } from '../checksums';

/** Length (8 bytes, little endian) and its checksum (4). */
const HEAD_BYTES = 12;
/** The checksum after the data. */
const TAIL_BYTES = 4;
/** A longer record is an image or a graph, which is not needed: it is skipped and never buffered. */
const LONGEST_BYTES = 16 * 1_048_576;

/**
 * Extracts the records of a TFRecord file (the framing of TensorBoard's event files) from pieces split anywhere;
 * incomplete data is buffered. A record with a wrong data checksum is skipped; after a wrong length it searches for the
 * next position whose length has a valid checksum.
 */
export class RecordReader {
  #held: Uint8Array = new Uint8Array(0);
  /** Bytes of a long record still to be skipped. */
  #toPass = 0;
  #isLost = false;
  #damaged = 0;

  /** Number of damaged places so far. */
  get damaged(): number {
    return this.#damaged;
  }

  /** Calls `take` for each record completed by this piece; its data is valid only during the call. */
  push(piece: Uint8Array, take: (data: Uint8Array) => void): void {
    const passed = Math.min(this.#toPass, piece.length);
    this.#toPass -= passed;
    const bytes = joined(this.#held, piece.subarray(passed));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (at + HEAD_BYTES <= bytes.length) {
      if (view.getUint32(at + 8, true) !== maskedCrc32c(bytes, at, at + 8)) {
        if (!this.#isLost) this.#damaged += 1;
        this.#isLost = true;
        at += 1;
        continue;
      }
      this.#isLost = false;
      const length = view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
      const end = at + HEAD_BYTES + length + TAIL_BYTES;
      if (length > LONGEST_BYTES) {
        this.#toPass = Math.max(0, end - bytes.length);
        at = Math.min(end, bytes.length);
        continue;
      }
      if (end > bytes.length) break;
      const data = bytes.subarray(at + HEAD_BYTES, end - TAIL_BYTES);
      if (view.getUint32(end - TAIL_BYTES, true) === maskedCrc32c(data)) take(data);
      else this.#damaged += 1;
      at = end;
    }
    // A copy, so that the piece can be garbage-collected.
    this.#held = bytes.slice(at);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
