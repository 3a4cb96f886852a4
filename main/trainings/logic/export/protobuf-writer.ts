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
  const bytes = typeof value === 'string' ? utf8(value) : value;
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

/** UTF-8; a lone surrogate becomes U+FFFD. */
function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else
      bytes.push(
        ...[0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63)],
        ...[0x80 | ((code >> 6) & 63), 0x80 | (code & 63)],
      );
  }
  return Uint8Array.from(bytes);
}
