/** The kind of a file by its first bytes. `other` has a name for a message: "a Zip archive". */
export type FileKind =
  | { readonly kind: 'plain' | 'gzip' | 'parquet' }
  | { readonly kind: 'other'; readonly name: string };

const signatures: ReadonlyArray<readonly [readonly number[], string]> = [
  [[0x50, 0x4b, 0x03, 0x04], 'a Zip archive'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a Zstandard archive'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'an XZ archive'],
  [[0x42, 0x5a, 0x68], 'a Bzip2 archive'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
];

function beginsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((value, i) => bytes[i] === value);
}

export function fileKindOf(head: Uint8Array): FileKind {
  if (beginsWith(head, [0x1f, 0x8b])) return { kind: 'gzip' };
  if (beginsWith(head, [0x50, 0x41, 0x52, 0x31])) return { kind: 'parquet' };
  const match = signatures.find(([signature]) => beginsWith(head, signature));
  if (match !== undefined) return { kind: 'other', name: match[1] };
  // JSON has no zero bytes; a file in UTF-16 has one in every other place.
  if (head.subarray(0, 512).includes(0)) return { kind: 'other', name: 'a binary file' };
  return { kind: 'plain' };
}
