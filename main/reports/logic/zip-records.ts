/**
 * The records of a ZIP around its packed files, as PKWARE's APPNOTE 6.3.9 has them. Sizes and offsets from 2^32 - 1 on,
 * and 65 535 files and more, use the 64-bit fields of its sections 4.3.14 and 4.5.3.
 */

/** Compressed by Deflate. */
export type ZipEntry = {
  readonly name: string;
  readonly crc32: number;
  /** Bytes in the archive, and before compression. */
  readonly packed: number;
  readonly bytes: number;
  /** Offset of its local header. */
  readonly at: number;
  /** Do its sizes need 64 bits? Decided before compression, since its local header reserves space for them. */
  readonly large: boolean;
};

/** From these values on the 64-bit fields are used. */
export type ZipLimits = { readonly bytes: number; readonly files: number };
export const ZIP_LIMITS: ZipLimits = { bytes: 0xffff_ffff, files: 0xffff };

const [ASK_64, MANY_FILES] = [0xffff_ffff, 0xffff];
/** Versions that a reader needs: Deflate, the 64-bit fields. */
const [PLAIN, LARGE] = [20, 45];
const DEFLATE = 8;
const NAMES_IN_UTF8 = 0x0800;
/** 1 January 1980, the first date of ZIP: files of a bundle have no date of their own. */
const NO_DAY = 0x0021;
const ZIP64 = 0x0001;

/** A number in this many bytes, the lowest first. */
type Field = readonly [value: number, bytes: 2 | 4 | 8];

function record(fields: readonly Field[], ...tails: readonly Uint8Array[]): Uint8Array {
  const head = fields.reduce((sum, [, bytes]) => sum + bytes, 0);
  const all = new Uint8Array(tails.reduce((sum, { length }) => sum + length, head));
  const view = new DataView(all.buffer);
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  for (const tail of tails) {
    all.set(tail, at);
    at += tail.length;
  }
  return all;
}

function extra64(values: readonly number[]): Uint8Array {
  if (values.length === 0) return new Uint8Array(0);
  return record([[ZIP64, 2], [8 * values.length, 2], ...values.map((value): Field => [value, 8])]);
}

/** The common fields of local and central headers, from the version on. */
function common(
  { large, crc32, packed, bytes }: ZipEntry,
  is64: boolean,
  name: number,
  extra: number,
): Field[] {
  return [
    [is64 ? LARGE : PLAIN, 2],
    [NAMES_IN_UTF8, 2],
    [DEFLATE, 2],
    [0, 2],
    [NO_DAY, 2],
    [crc32, 4],
    [large ? ASK_64 : packed, 4],
    [large ? ASK_64 : bytes, 4],
    [name, 2],
    [extra, 2],
  ];
}

/**
 * The header before a file's compressed bytes; it has the same length before the file is compressed. `name`: in UTF-8.
 */
export function localHeader(entry: ZipEntry, name: Uint8Array): Uint8Array {
  const extra = extra64(entry.large ? [entry.bytes, entry.packed] : []);
  return record([[0x0403_4b50, 4], ...common(entry, entry.large, name.length, extra.length)], name, extra);
}

/** The header of a file in the list at the end of the archive. */
export function centralHeader(entry: ZipEntry, name: Uint8Array, limits: ZipLimits): Uint8Array {
  const { large, bytes, packed, at } = entry;
  const isFar = at >= limits.bytes;
  const extra = extra64([...(large ? [bytes, packed] : []), ...(isFar ? [at] : [])]);
  const is64 = extra.length > 0;
  return record(
    [
      [0x0201_4b50, 4],
      [is64 ? LARGE : PLAIN, 2],
      ...common(entry, is64, name.length, extra.length),
      // No comment, the only disk, no attributes.
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [isFar ? ASK_64 : at, 4],
    ],
    name,
    extra,
  );
}

/** The end of an archive with this many files; their list takes `bytes` from the offset `at`. */
export function endRecords(
  list: { readonly files: number; readonly at: number; readonly bytes: number },
  limits: ZipLimits,
): Uint8Array {
  const { files, at, bytes } = list;
  const [isLong, isMany] = [Math.max(at, bytes) >= limits.bytes, files >= limits.files];
  const end = record([
    [0x0605_4b50, 4],
    [0, 2],
    [0, 2],
    [isMany ? MANY_FILES : files, 2],
    [isMany ? MANY_FILES : files, 2],
    [isLong ? ASK_64 : bytes, 4],
    [isLong ? ASK_64 : at, 4],
    [0, 2],
  ]);
  if (!isLong && !isMany) return end;
  const end64 = record([
    [0x0606_4b50, 4],
    // Size of the following fields.
    [44, 8],
    [LARGE, 2],
    [LARGE, 2],
    [0, 4],
    [0, 4],
    [files, 8],
    [files, 8],
    [bytes, 8],
    [at, 8],
  ]);
  const locator = record([
    [0x0706_4b50, 4],
    [0, 4],
    [at + bytes, 8],
    [1, 4],
  ]);
  return record([], end64, locator, end);
}
