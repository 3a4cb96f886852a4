import { utf8Bytes } from '../../../base';

// Messages in protobuf's encoding, field by field. https://protobuf.dev/programming-guides/encoding

/** A whole number of at most 2^53, not negative. */
export function intField(number: number, value: number): Uint8Array {
  return joinBytes([varint(number * 8), varint(value)]);
}

export function doubleField(number: number, value: number): Uint8Array {
  return fixed(number * 8 + 1, 8, (view) => view.setFloat64(0, value, true));
}

export function floatField(number: number, value: number): Uint8Array {
  return fixed(number * 8 + 5, 4, (view) => view.setFloat32(0, value, true));
}

/** A text, or a message within the message. */
export function bytesField(number: number, value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === 'string' ? Uint8Array.from(utf8Bytes(value)) : value;
  return joinBytes([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

export function message(...fields: readonly Uint8Array[]): Uint8Array {
  return joinBytes(fields);
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function fixed(key: number, size: number, write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer));
  return joinBytes([varint(key), bytes]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Uint8Array.from([...bytes, rest]);
}
