/** Base64 of little-endian 64-bit floats. */
export function encodeFloats(numbers: Float64Array): string {
  const bytes = Buffer.alloc(numbers.length * 8);
  numbers.forEach((number, i) => {
    bytes.writeDoubleLE(number, i * 8);
  });
  return bytes.toString('base64');
}

/** null: the length does not match. */
export function decodeFloats(text: string, length: number): Float64Array | null {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== length * 8) return null;
  return Float64Array.from({ length }, (_, i) => bytes.readDoubleLE(i * 8));
}
