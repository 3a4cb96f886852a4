import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { printableText } from '../base';
import { maxUnpackedBytes, sizeText, TABLE_GROWTH } from './logic/growth';
import { damagedTable, TableError, type TableLimits, TOO_LARGE_HINT } from './logic/table-error';
import type { TableLine } from './logic/table-lines';

/** Rows lie in groups, column by column: a group is in memory as a whole. */
const MAX_GROUP_BYTES = 256 * 1024 ** 2;

/** Thrown inside of a reading for what is no damage: the place follows its message. */
class Unreadable extends Error {}

/** A line about the table, or a row as a JSON object without a newline: lists and structs as they are, what is missing as
 * null, times in ISO form, whole numbers beyond 2^53 as text, bytes that are no text in base64. */
export type TablePart = TableLine | { readonly kind: 'row'; readonly json: string };

/**
 * The rows of a Parquet table in their order, and before each column of a group of rows its place. Throws a TableError
 * for whatever can be wrong with the file that the reading survives: what memory or time a damaged file needs is not
 * bounded here, so it is read in a process that can be killed (table-program.ts).
 */
export async function* tableParts(path: string, limits: TableLimits): AsyncGenerator<TablePart> {
  const handle = await open(path, 'r');
  try {
    const fileBytes = (await handle.stat()).size;
    const file = asyncBufferOf(handle, fileBytes);
    yield { kind: 'place', place: LAYOUT };
    const metadata = await at(LAYOUT, () => parquetMetadataAsync(file));
    const total = await at(LAYOUT, () => countOf(metadata.num_rows));
    if (total > limits.rows) throw new TableError(`it has more than ${limits.rows} rows.`, TOO_LARGE_HINT);
    yield { kind: 'total', rows: total };
    const columns = await at(LAYOUT, () =>
      parquetSchema(metadata).children.map(({ element }) => element.name),
    );
    const mostBytes = Math.min(limits.bytes, maxUnpackedBytes(fileBytes, TABLE_GROWTH));
    let bytes = 0;
    let rowStart = 0;
    for (const [index, group] of metadata.row_groups.entries()) {
      const groupName = `row group ${index + 1} of ${metadata.row_groups.length}`;
      checkSize(group, groupName, mostBytes);
      const rowEnd = rowStart + (await at(groupName, () => countOf(group.num_rows)));
      if (rowEnd > total) throw damagedTable(groupName, 'the groups have more rows than the table');
      const values = new Map<string, ArrayLike<unknown>>();
      const range = { rowStart, rowEnd };
      const scan = await at(groupName, () => parquetScan({ file, metadata, compressors, parsers, ...range }));
      for (const column of rowEnd > rowStart ? columns : []) {
        const place = `${groupName}, column "${printableText(column).slice(0, 80)}"`;
        yield { kind: 'place', place };
        const read = await at(place, () => scan.readColumn({ column, ...range }));
        if (read.length !== rowEnd - rowStart) throw damagedTable(place, 'the column does not have all rows');
        values.set(column, read);
      }
      for (let row = rowStart; row < rowEnd; row++) {
        const json = jsonOf(values, row - rowStart, row + 1);
        const length = Buffer.byteLength(json);
        bytes += length;
        if (length > limits.rowBytes)
          throw new TableError(`row ${row + 1} is longer than ${sizeText(limits.rowBytes)}.`, TOO_LARGE_HINT);
        if (bytes > mostBytes)
          throw new TableError(
            `its ${sizeText(fileBytes)} unpack to more than ${sizeText(mostBytes)} (up to row ${row + 1}).`,
            TOO_LARGE_HINT,
          );
        yield { kind: 'row', json };
      }
      rowStart = rowEnd;
    }
    if (rowStart < total) throw damagedTable(LAYOUT, 'the groups have fewer rows than the table');
    yield { kind: 'end' };
  } finally {
    await handle.close();
  }
}

/** How messages name the end of the file, which lists its columns and groups. */
const LAYOUT = 'the list of its columns';

/** The library throws errors of any kind for what it does not understand. */
async function at<T>(place: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw tableErrorOf(error, place);
  }
}

/** Any error, as one of the table at that place. */
export function tableErrorOf(error: unknown, place: string): TableError {
  if (error instanceof TableError) return error;
  if (error instanceof Unreadable) return new TableError(`${error.message} (${place}).`);
  const how = error instanceof Error ? error.message : String(error);
  return damagedTable(place, printableText(how).slice(0, 200));
}

function asyncBufferOf(handle: FileHandle, byteLength: number): AsyncBuffer {
  return {
    byteLength,
    slice: async (start, end = byteLength) => {
      const from = start < 0 ? byteLength + start : start;
      // Allocates no memory for sizes that a damaged file claims.
      if (!(from >= 0 && from <= end && end <= byteLength)) throw new Error('it ends too early');
      const bytes = new Uint8Array(end - from);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      if (bytesRead < bytes.length) throw new Error('it ends too early');
      return bytes.buffer;
    },
  };
}

function countOf(value: bigint): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 0) throw new Error('it has no number of rows');
  return count;
}

function checkSize(
  { columns }: FileMetaData['row_groups'][number],
  groupName: string,
  mostBytes: number,
): void {
  const bytes = columns.reduce(
    (sum, column) => sum + Number(column.meta_data?.total_uncompressed_size ?? 0),
    0,
  );
  const most = Math.min(MAX_GROUP_BYTES, mostBytes);
  if (bytes <= most) return;
  throw new TableError(
    `it has more than ${sizeText(most)} in one group of rows (${groupName}).`,
    TOO_LARGE_HINT,
  );
}

const parsers = { stringFromBytes };

function stringFromBytes(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  if (!isUtf8(bytes)) throw new Unreadable('it has text that is not UTF-8');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function jsonOf(columns: ReadonlyMap<string, ArrayLike<unknown>>, index: number, number: number): string {
  try {
    const fields = Object.fromEntries([...columns].map(([name, values]) => [name, values[index]]));
    return JSON.stringify(fields, (_, value: unknown) => {
      if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
      return value ?? null;
    });
  } catch (error) {
    throw tableErrorOf(error, `row ${number}`);
  }
}
