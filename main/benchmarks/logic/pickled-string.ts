import { failed, ok, type Result } from '../../base';

/** Opcodes that a pickle of one string needs (Python's pickletools, protocols 2 to 5). */
const PROTO = 0x80;
const FRAME = 0x95;
const SHORT_BINUNICODE = 0x8c;
const BINUNICODE = 0x58;
const BINUNICODE8 = 0x8d;
const MEMOIZE = 0x94;
const BINPUT = 0x71;
const LONG_BINPUT = 0x72;
const STOP = 0x2e;

/** Bytes of the argument behind each opcode that is read. */
const argumentBytes: ReadonlyMap<number, number> = new Map([
  [PROTO, 1],
  [FRAME, 8],
  [SHORT_BINUNICODE, 1],
  [BINUNICODE, 4],
  [BINUNICODE8, 8],
  [MEMOIZE, 0],
  [BINPUT, 1],
  [LONG_BINPUT, 4],
  [STOP, 0],
]);

/** Names of the others, so that a refusal says what the pickle wanted to do. */
const refusedNames: ReadonlyMap<number, string> = new Map(
  (
    '28 MARK,30 POP,31 POP_MARK,32 DUP,46 FLOAT,49 INT,4a BININT,4b BININT1,4c LONG,4d BININT2,4e NONE,50 PERSID,' +
    '51 BINPERSID,52 REDUCE,53 STRING,54 BINSTRING,55 SHORT_BINSTRING,56 UNICODE,61 APPEND,62 BUILD,63 GLOBAL,' +
    '64 DICT,7d EMPTY_DICT,65 APPENDS,67 GET,68 BINGET,69 INST,6a LONG_BINGET,6c LIST,5d EMPTY_LIST,6f OBJ,70 PUT,' +
    '73 SETITEM,74 TUPLE,29 EMPTY_TUPLE,75 SETITEMS,47 BINFLOAT,81 NEWOBJ,82 EXT1,83 EXT2,84 EXT4,85 TUPLE1,' +
    '86 TUPLE2,87 TUPLE3,88 NEWTRUE,89 NEWFALSE,8a LONG1,8b LONG4,42 BINBYTES,43 SHORT_BINBYTES,8e BINBYTES8,' +
    '8f EMPTY_SET,90 ADDITEMS,91 FROZENSET,92 NEWOBJ_EX,93 STACK_GLOBAL,96 BYTEARRAY8,97 NEXT_BUFFER,' +
    '98 READONLY_BUFFER'
  )
    .split(',')
    .map((entry): [number, string] => [Number.parseInt(entry.slice(0, 2), 16), entry.slice(3)]),
);

function opcodeName(opcode: number): string {
  return refusedNames.get(opcode) ?? `0x${opcode.toString(16).padStart(2, '0')}`;
}

/** Little-endian; up to 2^53, beyond which no file of ours reaches, so that the sum stays a number. */
function unsigned(bytes: readonly number[]): number {
  return bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
}

type Stage = 'proto' | 'string' | 'payload' | 'memo' | 'end' | 'stopped';

/**
 * Reads a pickle of exactly one string, chunk by chunk, and nothing else: no opcode that could make an object, name
 * a global, call something or go back to the memo is understood. Its bytes are handed out as they come; that they
 * are UTF-8 (without lone surrogates, which Python's pickle lets pass and no file of ours can hold) is the
 * caller's to check. Errors are the ends of sentences.
 */
export class PickledString {
  #stage: Stage = 'proto';
  #opcode: number | null = null;
  #argument: number[] = [];
  #payloadLeft = 0;
  /** Bytes of the current frame that are still to come; null outside of a frame. */
  #frameLeft: number | null = null;
  #error: string | null = null;

  /** The pieces of the string in this chunk. */
  push(chunk: Uint8Array): Result<readonly Uint8Array[], string> {
    const pieces: Uint8Array[] = [];
    let at = 0;
    while (at < chunk.length && this.#error === null) {
      if (this.#stage === 'payload') {
        const piece = chunk.subarray(at, at + this.#payloadLeft);
        at += piece.length;
        pieces.push(piece);
        this.#payloadLeft -= piece.length;
        if (this.#payloadLeft === 0) this.#stage = 'memo';
      } else {
        this.#takeByte(chunk[at] ?? 0);
        at += 1;
      }
    }
    return this.#error === null ? ok(pieces) : failed(this.#error);
  }

  /** Call once after the last chunk. */
  finish(): Result<null, string> {
    if (this.#error === null && this.#stage !== 'stopped') this.#error = 'the pickle is cut off.';
    return this.#error === null ? ok(null) : failed(this.#error);
  }

  #takeByte(byte: number): void {
    if (this.#stage === 'stopped') {
      this.#error = 'something follows the end of the pickle.';
      return;
    }
    // A frame's own opcode and length do not count as its content.
    const isFrame = this.#opcode === FRAME || (this.#opcode === null && byte === FRAME);
    if (this.#frameLeft !== null && !isFrame) this.#countInFrame(1);
    if (this.#opcode === null) {
      if (!argumentBytes.has(byte)) {
        this.#error = `the pickle has the opcode ${opcodeName(byte)}; only a pickle of one string is read.`;
        return;
      }
      this.#opcode = byte;
      this.#argument = [];
    } else this.#argument.push(byte);
    if (this.#error === null && this.#argument.length === argumentBytes.get(this.#opcode)) this.#execute();
  }

  #countInFrame(bytes: number): void {
    const left = (this.#frameLeft ?? 0) - bytes;
    if (left < 0) this.#error = 'a frame of the pickle ends inside of an operation.';
    this.#frameLeft = left === 0 ? null : left;
  }

  #execute(): void {
    const opcode = this.#opcode;
    const value = unsigned(this.#argument);
    this.#opcode = null;
    switch (opcode) {
      case PROTO:
        if (this.#stage !== 'proto') this.#error = 'the pickle has a second PROTO.';
        else if (value < 2 || value > 5) this.#error = `the pickle has protocol ${value}; 2 to 5 are read.`;
        this.#stage = 'string';
        return;
      case FRAME:
        if (this.#stage === 'proto') this.#error = 'the pickle does not begin with PROTO.';
        else if (this.#frameLeft !== null) this.#error = 'the pickle has a frame inside of a frame.';
        else if (value === 0 || value > Number.MAX_SAFE_INTEGER) {
          this.#error = 'the pickle has a frame of a wrong length.';
        } else this.#frameLeft = value;
        return;
      case STOP:
        if (this.#stage !== 'memo' && this.#stage !== 'end')
          this.#error = 'the pickle ends without a string.';
        else if (this.#frameLeft !== null) this.#error = 'the pickle ends inside of a frame.';
        this.#stage = 'stopped';
        return;
      case MEMOIZE:
      case BINPUT:
      case LONG_BINPUT:
        if (this.#stage !== 'memo') this.#error = 'the pickle remembers more than its one string.';
        this.#stage = 'end';
        return;
      default:
        this.#beginString(value);
    }
  }

  #beginString(bytes: number): void {
    if (this.#stage !== 'string') {
      this.#error =
        this.#stage === 'proto'
          ? 'the pickle does not begin with PROTO.'
          : 'the pickle has more than one string.';
      return;
    }
    if (bytes > Number.MAX_SAFE_INTEGER) {
      this.#error = 'the pickle has a string of a wrong length.';
      return;
    }
    if (this.#frameLeft !== null && bytes > 0) this.#countInFrame(bytes);
    this.#payloadLeft = bytes;
    this.#stage = bytes === 0 ? 'memo' : 'payload';
  }
}
