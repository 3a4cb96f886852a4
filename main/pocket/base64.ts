/** Base64 (RFC 4648, padded) in pure code: checkpoints must be readable without Buffer or atob. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE: ReadonlyMap<string, number> = new Map([...ALPHABET].map((letter, index) => [letter, index]));

export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // Weights are hundreds of kilobytes, written with every checkpoint: no list for each of their groups.
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    parts.push(letterAt(group, 18) + letterAt(group, 12) + letterAt(group, 6) + letterAt(group, 0));
  }
  const padding = (3 - (bytes.length % 3)) % 3;
  const text = parts.join('');
  return text.slice(0, text.length - padding) + '='.repeat(padding);
}

const letterAt = (group: number, shift: number): string => ALPHABET.charAt((group >> shift) & 63);

/** The bytes, or null if the text is not base64. */
export function decodeBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let written = 0;
  for (let i = 0; i < text.length; i += 4) {
    let group = 0;
    for (let j = i; j < i + 4; j++) {
      const isPadding = j >= text.length - padding;
      const value = isPadding ? 0 : VALUE.get(text.charAt(j));
      if (value === undefined) return null;
      group = (group << 6) | value;
    }
    for (const shift of [16, 8, 0]) {
      if (written < bytes.length) bytes[written++] = (group >> shift) & 255;
    }
  }
  return bytes;
}

const FLOAT_BYTES = 4;

/** Base64 of little-endian 32-bit floats. */
export function encodeWeights(weights: Float64Array): string {
  const bytes = new Uint8Array(weights.length * FLOAT_BYTES);
  const view = new DataView(bytes.buffer);
  weights.forEach((weight, i) => {
    view.setFloat32(i * FLOAT_BYTES, weight, true);
  });
  return encodeBase64(bytes);
}

/** null: the text does not hold `count` floats. */
export function decodeWeights(text: string, count: number): Float64Array | null {
  const bytes = decodeBase64(text);
  if (bytes === null || bytes.length !== count * FLOAT_BYTES) return null;
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: count }, (_, i) => view.getFloat32(i * FLOAT_BYTES, true));
}
