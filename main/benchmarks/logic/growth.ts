const MEBIBYTE = 1024 ** 2;

/**
 * How many bytes a packed file may become. Rows of problems and samples shrink to a tenth, the most repetitive ones to a
 * hundredth; packers can shrink to a thousandth and beyond, which no file of rows needs. Small files may always grow to
 * `always` bytes.
 */
export type Growth = { readonly times: number; readonly always: number };

export const GZIP_GROWTH: Growth = { times: 250, always: 256 * MEBIBYTE };
/** A table writes a text that many rows share only once, on top of its packing. */
export const TABLE_GROWTH: Growth = { times: 1_000, always: 256 * MEBIBYTE };

export function maxUnpackedBytes(packedBytes: number, { times, always }: Growth): number {
  return Math.max(always, times * packedBytes);
}

/** e.g. "1.5 GB", "3 MB" */
export function sizeText(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GB` : `${Math.ceil(bytes / MEBIBYTE)} MB`;
}
