const NEWLINE = 0x0a;

/** One line without its newline. */
export type ByteLine = {
  readonly bytes: Buffer;
  /** Of the first byte, counted from the start of the stream. */
  readonly offset: number;
};

/** Thrown by `push`: the line that begins at `lineNumber` (from 1) is longer than allowed. */
export class LineTooLongError extends Error {
  constructor(readonly lineNumber: number) {
    super(`Line ${lineNumber} is too long`);
  }
}

/**
 * Cuts a stream of chunks into lines at "\n", holding no more than one line and one chunk. It works on bytes, so
 * offsets are exact and a character that spans two chunks stays whole.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #lineOffset = 0;
  #lines = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that this chunk completes. The chunk is kept by reference: the caller must not write to it again. */
  push(chunk: Buffer): ByteLine[] {
    const lines: ByteLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(this.#complete(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) {
      const rest = chunk.subarray(start);
      this.#check(this.#heldBytes + rest.length);
      this.#held.push(rest);
      this.#heldBytes += rest.length;
    }
    return lines;
  }

  /** What came after the last newline; null when the stream ended with one. */
  rest(): ByteLine | null {
    if (this.#heldBytes === 0) return null;
    return { bytes: Buffer.concat(this.#held), offset: this.#lineOffset };
  }

  #complete(last: Buffer): ByteLine {
    const length = this.#heldBytes + last.length;
    this.#check(length);
    const bytes = this.#heldBytes === 0 ? last : Buffer.concat([...this.#held, last]);
    const line = { bytes, offset: this.#lineOffset };
    this.#held = [];
    this.#heldBytes = 0;
    this.#lineOffset += length + 1;
    this.#lines += 1;
    return line;
  }

  #check(length: number): void {
    if (length > this.#maxLineBytes) throw new LineTooLongError(this.#lines + 1);
  }
}
