import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

/** Rows lie in groups, column by column: a group is in memory as a whole. */
const MAX_GROUP_BYTES = 256 * 1024 ** 2;
const MOST_GROUP_TEXT = '256 MB';
/** After so long, other work of this process gets its turn. */
const YIELD_EVERY_MS = 10;

/** The message is the end of a sentence that begins with the file: "it is damaged (...)." */
export class ParquetError extends Error {}

export type ParquetRow = {
  /** The row as a JSON object: lists and structs as they are, what is missing as null, times in ISO form, whole
   * numbers beyond 2^53 as text, bytes that are no text in base64. */
  readonly json: string;
  /** From 0 to 1: how much of the file's rows has been read, this one included. */
  readonly share: number;
};

/** The rows of a Parquet table in their order. Throws a ParquetError for whatever can be wrong with the file. */
export async function* parquetRows(path: string, mostRows: number): AsyncGenerator<ParquetRow> {
  const handle = await open(path, 'r');
  try {
    const file = asyncBufferOf(handle, (await handle.stat()).size);
    const metadata = await orDamaged(() => parquetMetadataAsync(file));
    const total = countOf(metadata.num_rows);
    if (total > mostRows) throw new ParquetError(`it has more than ${mostRows} rows.`);
    const columns = await orDamaged(async () =>
      parquetSchema(metadata).children.map(({ element }) => element.name),
    );
    let rowStart = 0;
    let breathed = performance.now();
    for (const group of metadata.row_groups) {
      checkSize(group);
      const rowEnd = rowStart + countOf(group.num_rows);
      if (rowEnd > total) throw damaged('its groups have more rows than it says');
      const values = new Map<string, ArrayLike<unknown>>();
      const range = { rowStart, rowEnd };
      const scan = await orDamaged(() => parquetScan({ file, metadata, compressors, parsers, ...range }));
      for (const column of rowEnd > rowStart ? columns : []) {
        const read = await orDamaged(() => scan.readColumn({ column, ...range }));
        if (read.length !== rowEnd - rowStart) throw damaged(`its column ${column} has not all rows`);
        values.set(column, read);
        await breathe();
      }
      for (let row = rowStart; row < rowEnd; row++) {
        if (performance.now() - breathed > YIELD_EVERY_MS) {
          await breathe();
          breathed = performance.now();
        }
        yield { json: jsonOf(values, row - rowStart), share: (row + 1) / total };
      }
      rowStart = rowEnd;
    }
    if (rowStart < total) throw damaged('its groups have fewer rows than it says');
  } finally {
    await handle.close();
  }
}

function damaged(how: string): ParquetError {
  return new ParquetError(`the Parquet file is damaged or of a kind that is not read (${how}).`);
}

/** The library throws errors of any kind for what it does not understand. */
async function orDamaged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ParquetError) throw error;
    throw damaged(error instanceof Error ? error.message : String(error));
  }
}

function asyncBufferOf(handle: FileHandle, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    slice: async (start, end = byteLength) => {
      const from = start < 0 ? byteLength + start : start;
      // Allocates no memory for sizes that a damaged file claims.
      if (!(from >= 0 && from <= end && end <= byteLength)) throw damaged('it ends too early');
      const bytes = new Uint8Array(end - from);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      if (bytesRead < bytes.length) throw damaged('it ends too early');
      return bytes.buffer;
    },
  };
}

function countOf(value: bigint): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0) throw damaged('it has no number of rows');
  return count;
}

function checkSize({ columns }: FileMetaData['row_groups'][number]): void {
  const bytes = columns.reduce(
    (sum, column) => sum + Number(column.meta_data?.total_uncompressed_size ?? 0),
    0,
  );
  if (bytes <= MAX_GROUP_BYTES) return;
  throw new ParquetError(`it has more than ${MOST_GROUP_TEXT} in one group of rows.`);
}

const parsers = { stringFromBytes };

function stringFromBytes(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  if (!isUtf8(bytes)) throw new ParquetError('it has text that is not UTF-8.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function jsonOf(columns: ReadonlyMap<string, ArrayLike<unknown>>, row: number): string {
  try {
    const fields = Object.fromEntries([...columns].map(([name, values]) => [name, values[row]]));
    return JSON.stringify(fields, (_, value: unknown) => {
      if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
      return value ?? null;
    });
  } catch (error) {
    throw damaged(error instanceof Error ? error.message : String(error));
  }
}
