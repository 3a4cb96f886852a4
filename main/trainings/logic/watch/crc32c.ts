/** Castagnoli's polynomial, bits reversed. */
const POLYNOMIAL = 0x82f63b78;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** CRC-32C (RFC 3720, appendix B.4) of bytes [from, to). */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let rest = 0xffffffff;
  for (let at = from; at < to; at++) rest = (TABLE[(rest ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

/** As records of TensorFlow carry it: turned right by 15 bits, then a constant added, modulo 2^32. */
export function maskedCrc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const sum = crc32c(bytes, from, to);
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;
}
