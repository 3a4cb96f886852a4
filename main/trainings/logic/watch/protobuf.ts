/** Thrown at bytes that are no message; whoever reads a foreign file catches it. */
export class NotProtobufError extends Error {}

type Wire = 'varint' | 'fixed64' | 'bytes' | 'fixed32';
const WIRES: Readonly<Record<number, Wire>> = { 0: 'varint', 1: 'fixed64', 2: 'bytes', 5: 'fixed32' };

/** Four groups of seven bits are as many as a sum of bits may have before it is a number of its own. */
const LIMB = 2 ** 28;

/**
 * Walks over the fields of a message in their order, unknown ones included: whoever reads takes what he knows. It makes
 * nothing on its way, since an event file has millions of fields. https://protobuf.dev/programming-guides/encoding
 */
export class FieldCursor {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  /** Of the field that it is at. */
  number = 0;
  wire: Wire = 'varint';
  /** Of a varint, as a signed number of 64 bits, exact within 2^53 of zero; else 0. */
  varint = 0;
  /** Of what is no varint: where its bytes are. */
  from = 0;
  to = 0;

  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
  }

  /** Goes to the next field; false: there is none. Throws NotProtobufError. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    const key = this.readVarint();
    const wire = WIRES[key & 7];
    if (wire === undefined) throw new NotProtobufError('A field of no known kind');
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

  /** True while numbers that stand behind each other without keys (packed ones) are left. */
  get hasMore(): boolean {
    return this.#at < this.#end;
  }

  /** A number below zero comes as its two's complement of 64 bits: ten bytes, of which the last has one bit. */
  readVarint(): number {
    const bytes = this.#bytes;
    let [low, middle, high] = [0, 0, 0];
    for (let turn = 0; turn < 10 && this.#at < this.#end; turn++) {
      const byte = bytes[this.#at++] ?? 0;
      if (turn === 0 && byte < 0x80) return byte;
      const bits = (byte & 0x7f) << ((turn % 4) * 7);
      if (turn < 4) low |= bits;
      else if (turn < 8) middle |= bits;
      else high |= bits;
      if (byte >= 0x80) continue;
      const top = (high & 0xff) >= 0x80 ? (high & 0xff) - 0x100 : high & 0xff;
      return (top * LIMB + middle) * LIMB + low;
    }
    throw new NotProtobufError('A number does not end');
  }
}
