const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Why bytes are no list of JSON values, or one of them is too long. The message is the end of a sentence. */
export class JsonListError extends Error {}

type State = 'before' | 'first' | 'next' | 'string' | 'scalar' | 'nested' | 'after' | 'done';

/**
 * Cuts one JSON list, chunk by chunk, into the bytes of its elements, holding no more than one element. Elements are
 * only delimited, not parsed: the caller checks what is between two brackets.
 */
export class JsonListSplitter {
  readonly #maxBytes: number;
  #state: State = 'before';
  /** Brackets open inside the element. */
  #depth = 0;
  #inString = false;
  /** The last byte was a backslash that escapes the next one. */
  #escaped = false;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #elements = 0;

  constructor(maxElementBytes: number) {
    this.#maxBytes = maxElementBytes;
  }

  /** Elements so far, finished ones and the one that is being read. */
  get elements(): number {
    return this.#elements;
  }

  /** The pieces of each element that this chunk completes; joined they are its bytes. Chunks are kept by reference. */
  push(chunk: Uint8Array): ReadonlyArray<readonly Uint8Array[]> {
    const complete: Uint8Array[][] = [];
    let start = 0;
    let at = 0;
    const finish = (end: number): void => {
      this.#hold(chunk.subarray(start, end));
      complete.push(this.#held);
      this.#held = [];
      this.#heldBytes = 0;
      this.#state = 'after';
    };
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#skipString(chunk, at);
        if (!this.#inString && this.#state === 'string') finish(at);
        continue;
      }
      const byte = chunk[at] ?? 0;
      switch (this.#state) {
        case 'nested':
          if (byte === QUOTE) this.#inString = true;
          else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1;
          else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
          at += 1;
          if (this.#depth === 0) finish(at);
          break;
        case 'scalar':
          if (byte === COMMA || byte === CLOSE_LIST || isSpace(byte)) finish(at);
          else at += 1;
          break;
        default:
          if (!isSpace(byte)) {
            start = at;
            this.#between(byte);
          }
          // A scalar's first byte is looked at again as part of it: it is neither a comma nor a bracket.
          at += 1;
      }
    }
    if (this.#state === 'nested' || this.#state === 'scalar' || this.#state === 'string') {
      this.#hold(chunk.subarray(start));
    }
    return complete;
  }

  /** Call once after the last chunk. */
  finish(): void {
    if (this.#state !== 'done')
      throw new JsonListError(`its JSON list is cut off before its end (its entry ${this.#elements}).`);
  }

  #between(byte: number): void {
    switch (this.#state) {
      case 'before':
        if (byte !== OPEN_LIST) throw new JsonListError('it is not a JSON list.');
        this.#state = 'first';
        return;
      case 'after':
        if (byte === COMMA) this.#state = 'next';
        else if (byte === CLOSE_LIST) this.#state = 'done';
        else throw new JsonListError(`no comma follows entry ${this.#elements}.`);
        return;
      case 'done':
        throw new JsonListError(`something follows its JSON list (its last entry is ${this.#elements}).`);
      default:
        if (byte === CLOSE_LIST && this.#state === 'first') this.#state = 'done';
        else this.#begin(byte);
    }
  }

  #begin(byte: number): void {
    this.#elements += 1;
    if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      throw new JsonListError(`entry ${this.#elements} is missing.`);
    }
    if (byte === QUOTE) {
      this.#state = 'string';
      this.#inString = true;
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      this.#state = 'nested';
      this.#depth = 1;
    } else this.#state = 'scalar';
  }

  /** Index behind the string's end, or the chunk's length when it continues in the next one. */
  #skipString(chunk: Uint8Array, from: number): number {
    let at = from;
    if (this.#escaped) {
      this.#escaped = false;
      at += 1;
    }
    for (;;) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote === -1 ? chunk.length : quote;
      // A quote (or the chunk's end) is escaped when an odd number of backslashes stands before it.
      let slashes = 0;
      while (end - slashes > at && chunk[end - slashes - 1] === BACKSLASH) slashes += 1;
      const isEscaped = slashes % 2 === 1;
      if (quote === -1) {
        this.#escaped = isEscaped;
        return chunk.length;
      }
      at = quote + 1;
      if (!isEscaped) {
        this.#inString = false;
        return at;
      }
    }
  }

  #hold(piece: Uint8Array): void {
    this.#heldBytes += piece.length;
    if (this.#heldBytes > this.#maxBytes) throw new JsonListError(`entry ${this.#elements} is too long.`);
    this.#held.push(piece);
  }
}
