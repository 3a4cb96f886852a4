/** Longest UTF-8 character. */
export const LONGEST_CHARACTER_BYTES = 4;

/** How many bytes at the start belong to a character that began before them (0 to 3). */
export function leadingPart(bytes: Uint8Array): number {
  let count = 0;
  while (count < LONGEST_CHARACTER_BYTES - 1 && isContinuation(bytes[count])) count += 1;
  return count;
}

/** How many bytes at the end begin a character that is not complete yet (0 to 3). */
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
