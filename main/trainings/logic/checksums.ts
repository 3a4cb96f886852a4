type Checksum = (bytes: Uint8Array, from?: number, to?: number) => number;

/** CRC-32C (RFC 3720, appendix B.4) of bytes [from, to). */
export const crc32c = cyclicChecksum(0x82f63b78);

/** CRC-32 of IEEE 802.3, as zlib computes it, of bytes [from, to). */
export const crc32 = cyclicChecksum(0xedb88320);

/** As records of TensorFlow carry it: CRC-32C turned right by 15 bits, then a constant added, modulo 2^32. */
export function maskedCrc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const sum = crc32c(bytes, from, to);
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;
}

/** `polynomial`: its bits reversed. */
function cyclicChecksum(polynomial: number): Checksum {
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
    return rest;
  });
  return (bytes, from = 0, to = bytes.length) => {
    let rest = 0xffffffff;
    for (let at = from; at < to; at++) rest = (table[(rest ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (rest >>> 8);
    return (rest ^ 0xffffffff) >>> 0;
  };
}
