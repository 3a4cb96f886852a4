/** Thrown for bytes that are not a message; readers of foreign files catch it. */
export class NotProtobufError extends Error {}

type Wire = 'varint' | 'fixed64' | 'bytes' | 'fixed32';
const WIRES: Readonly<Record<number, Wire>> = { 0: 'varint', 1: 'fixed64', 2: 'bytes', 5: 'fixed32' };

/** A varint is assembled from limbs of four groups of seven bits, which bit operations can handle. */
const LIMB = 2 ** 28;

/**
 * Walks over the fields of a message in order, including unknown ones. It allocates nothing per field, since an event
 * file has millions of them. https://protobuf.dev/programming-guides/encoding
 */
export class FieldCursor {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  /** Number of the current field. */
  number = 0;
  wire: Wire = 'varint';
  /** Value of a varint as a signed 64-bit number, exact within 2^53 of zero; else 0. */
  varint = 0;
  /** Byte range of any other field. */
  from = 0;
  to = 0;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  /** Advances to the next field; false: there is none. Throws NotProtobufError. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const key = this.readVarint();
    const wire = WIRES[key & 7];
    if (wire === undefined) throw new NotProtobufError('A field of an unknown wire type');
    this.number = key >>> 3;
    this.wire = wire;
    this.varint = wire === 'varint' ? this.readVarint() : 0;
    const length =
      wire === 'varint' ? 0 : wire === 'fixed64' ? 8 : wire === 'fixed32' ? 4 : this.readVarint();
    this.from = this.#at;
    this.to = this.#at + length;
    if (length < 0 || this.to > this.#end) throw new NotProtobufError('A field is longer than its message');
    this.#at = this.to;
    return true;
  }

  /** True while packed numbers are left. */
  get hasMore(): boolean {
    return this.#at < this.#end;
  }

  /** Negative numbers are stored as 64-bit two's complement: ten bytes, the last with one bit. */
  readVarint(): number {
    const bytes = this.#bytes;
    let [low, middle, high] = [0, 0, 0];
    for (let index = 0; index < 10 && this.#at < this.#end; index++) {
      const byte = bytes[this.#at++] ?? 0;
      if (index === 0 && byte < 0x80) return byte;
      const bits = (byte & 0x7f) << ((index % 4) * 7);
      if (index < 4) low |= bits;
      else if (index < 8) middle |= bits;
      else high |= bits;
      if (byte >= 0x80) continue;
      const top = (high & 0xff) >= 0x80 ? (high & 0xff) - 0x100 : high & 0xff;
      return (top * LIMB + middle) * LIMB + low;
    }
    throw new NotProtobufError('A number does not end');
  }
}
