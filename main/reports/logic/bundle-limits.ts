/** An archive's entry for one of its files. Sizes and offset in bytes. */
export type ArchiveEntry = {
  readonly name: string;
  readonly packed: number;
  readonly bytes: number;
  /** Offset of its local header. */
  readonly at: number;
};

const [MIB, GIB] = [1_048_576, 1_073_741_824];
/** Far above the largest bundles: 10,000 runs with a journal of some megabytes each. */
export const MAX_FILES = 100_000;
const [MAX_BYTES, MAX_FILE_BYTES] = [64 * GIB, 16 * GIB];
/** Journals shrink to a tenth; Deflate can shrink to a thousandth, and overlapping files beyond that. */
const [MAX_GROWTH, ALWAYS_BYTES] = [250, 64 * MIB];
/** What stays free for the journals of running studies. */
const SPARE_BYTES = 256 * MIB;

const inMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Why an archive of `archiveBytes` with these files is not unpacked, for after "cannot be opened: "; null: it may be. */
export function archiveProblem(entries: readonly ArchiveEntry[], archiveBytes: number): string | null {
  const large = entries.find(({ bytes }) => bytes > MAX_FILE_BYTES);
  if (large !== undefined) return `${large.name} would be ${inMegabytes(large.bytes)}`;
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > MAX_BYTES || total > Math.max(ALWAYS_BYTES, MAX_GROWTH * archiveBytes)) {
    return `its ${inMegabytes(archiveBytes)} would become ${inMegabytes(total)}`;
  }
  let end = 0;
  for (const { name, at, packed } of [...entries].sort((a, b) => a.at - b.at)) {
    if (at < end) return `${name} overlaps another of its files`;
    end = at + packed;
  }
  return end > archiveBytes ? 'its files reach beyond its end' : null;
}

/** Why files of `bytes` together are not unpacked where `free` bytes are free; null: there is room. */
export function spaceProblem(bytes: number, free: number): string | null {
  if (bytes + SPARE_BYTES <= free) return null;
  return `it needs ${inMegabytes(bytes + SPARE_BYTES)} on the disk of the data folder, where ${inMegabytes(free)} are free`;
}

/** Enough for some hundred studies. */
export const MAX_JSON_BYTES = 64 * MIB;
/** Our own files nest a dozen deep. */
const DEEPEST = 64;
/** Arrays, objects and commas: each becomes up to some hundred bytes in memory. */
const MAX_PARTS = 4_000_000;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Why JSON in UTF-8 is not parsed: it would take far more memory than its length says. null: it may be parsed. */
export function jsonProblem(text: Uint8Array): string | null {
  if (text.length > MAX_JSON_BYTES) return `is larger than ${inMegabytes(MAX_JSON_BYTES)}`;
  let depth = 0;
  let parts = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (isString) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isString = false;
    } else if (byte === QUOTE) isString = true;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      parts += 1;
      if (byte !== COMMA) depth += 1;
      if (depth > DEEPEST) return `is nested more than ${DEEPEST} deep`;
      if (parts > MAX_PARTS) return `has more than ${MAX_PARTS} values`;
    }
  }
  return null;
}
