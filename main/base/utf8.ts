/** The bytes of a text in UTF-8, without Node's encoders. A lone surrogate, which has none, counts as `replacement`. */
export function utf8Bytes(text: string, replacement = '\ufffd'): number[] {
  // Each byte as a character of that number.
  const letters = encodeURIComponent(text.replace(/\p{Cs}/gu, replacement)).replace(
    /%([0-9A-F]{2})/g,
    (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** How many bytes a text has in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
  }
  return bytes;
}

/** Longest UTF-8 character. */
export const LONGEST_CHARACTER_BYTES = 4;

/** How many bytes at the start belong to a character that began earlier (0 to 3). */
export function leadingPart(bytes: Uint8Array): number {
  let count = 0;
  while (count < LONGEST_CHARACTER_BYTES - 1 && isContinuation(bytes[count])) count += 1;
  return count;
}

/** How many bytes at the end belong to an incomplete character (0 to 3). */
export function trailingPart(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST_CHARACTER_BYTES && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (isContinuation(byte)) continue;
    return back < characterLength(byte ?? 0) ? back : 0;
  }
  return 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}

function characterLength(first: number): number {
  if (first >= 0b1111_0000 && first < 0b1111_1000) return 4;
  if (first >= 0b1110_0000) return first < 0b1111_0000 ? 3 : 1;
  return first >= 0b1100_0000 ? 2 : 1;
}
