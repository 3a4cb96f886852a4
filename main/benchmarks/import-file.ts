import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf, systemErrorCode } from '../storage';
import { cancelledImport, refusedImport } from './import-refusals';
import { fileKindOf } from './logic/file-kind';
import { GZIP_GROWTH, maxUnpackedBytes, sizeText } from './logic/growth';
import { JsonListError } from './logic/json-list-splitter';
import { withinRowSize } from './logic/row-size';
import { TableError } from './logic/table-error';
import { bytesOf, type FileRow, RowSplitter, RowTooLongError } from './row-splitter';
import type { ReadTable } from './table-reader';

/** Far above any benchmark's file; below what would fill a disk or a day. */
export type ImportLimits = {
  readonly fileBytes: number;
  /** After unpacking: a small file can unpack to anything. */
  readonly unpackedBytes: number;
  /** Of a line, or of an entry of a JSON list. LiveCodeBench's longest have some 100 MB. */
  readonly lineBytes: number;
  readonly lines: number;
};
export const importLimits: ImportLimits = {
  fileBytes: 32 * 1024 ** 3,
  unpackedBytes: 64 * 1024 ** 3,
  lineBytes: 192 * 1024 ** 2,
  lines: 5_000_000,
};

const CHUNK_BYTES = 256 * 1024;
const YIELD_EVERY_MS = 10;

/** Called for each line that is not blank, in order; `lineNumber` counts from 1. A refusal ends the reading. */
export type TakeLine = (line: string, lineNumber: number) => Refusal | null | Promise<Refusal | null>;

export type TakeRow = (row: FileRow) => Refusal | null | Promise<Refusal | null>;

export type ReadOptions = {
  readonly limits?: ImportLimits;
  readonly signal?: AbortSignal | undefined;
  /** Left out: tables are refused. */
  readonly readTable?: ReadTable | undefined;
  /** Bytes of the file as it lies on the disk, so far and in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** Carries a refusal out of a stream's callbacks, which can only throw. */
class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

async function headOf(handle: FileHandle): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(512), 0, 512, 0);
  return buffer.subarray(0, bytesRead);
}

type FileInfo = { readonly form: 'plain' | 'gzip' | 'parquet'; readonly bytes: number };

/** Checks whether the file can be read, and whether it is packed. */
async function inspect(path: string, limits: ImportLimits): Promise<Result<FileInfo, Refusal>> {
  const info = await stat(path);
  if (info.isDirectory()) return failed(refusedImport(path, 'it is a folder. Name the file in it.'));
  if (!info.isFile()) return failed(refusedImport(path, 'it is not an ordinary file.'));
  if (info.size === 0) return failed(refusedImport(path, 'it is empty.', 'Was the download cut off?'));
  if (info.size > limits.fileBytes) {
    const sizes = `it has ${sizeText(info.size)}; files of up to ${sizeText(limits.fileBytes)} are read.`;
    return failed(refusedImport(path, sizes, 'Is it the right file?'));
  }
  const handle = await open(path, 'r');
  try {
    const kind = fileKindOf(await headOf(handle));
    if (kind.kind === 'other') return failed(refusedImport(path, `it is ${kind.name}, not JSON lines.`));
    return ok({ form: kind.kind, bytes: info.size });
  } finally {
    await handle.close();
  }
}

/** Checks the unpacked bytes before they are read: their kind, and their size against the packed bytes. */
function unpackedChecks(path: string, { form, bytes: packed }: FileInfo, limits: ImportLimits) {
  const most =
    form === 'gzip'
      ? Math.min(limits.unpackedBytes, maxUnpackedBytes(packed, GZIP_GROWTH))
      : limits.unpackedBytes;
  let bytes = 0;
  return (chunk: Buffer): void => {
    if (bytes === 0 && chunk.length > 0) checkKind(path, chunk);
    bytes += chunk.length;
    if (bytes <= most) return;
    const sizes = `its ${sizeText(packed)} unpack to more than ${sizeText(most)}.`;
    throw new Refused(
      refusedImport(path, sizes, 'If it is the right file, unpack it yourself and import the result.'),
    );
  };
}

function checkKind(path: string, chunk: Buffer): void {
  const kind = fileKindOf(chunk);
  if (kind.kind === 'gzip') {
    const hint = `Unpack it once and import the result: gunzip -c "${path}" > once.jsonl.gz`;
    throw new Refused(refusedImport(path, 'it is gzipped twice.', hint));
  }
  if (kind.kind === 'parquet') {
    const hint = `Unpack it and import the result: gunzip "${path}"`;
    throw new Refused(refusedImport(path, 'it is a gzipped Parquet file.', hint));
  }
  if (kind.kind === 'other') throw new Refused(refusedImport(path, `it holds ${kind.name}, not JSON lines.`));
}

/** `last`: the last row before the error, e.g. "line 3". */
function streamRefusal(path: string, error: unknown, last: string, limits: ImportLimits): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof RowTooLongError) {
    return refusedImport(path, `${error.location} is longer than ${sizeText(limits.lineBytes)}.`);
  }
  if (error instanceof TableError) return refusedImport(path, error.message, error.hint);
  if (error instanceof JsonListError) return refusedImport(path, error.message);
  const code = systemErrorCode(error);
  if (code === 'ABORT_ERR') return cancelledImport(path);
  if (code === 'Z_BUF_ERROR') {
    const where = `the gzip file is cut off before its end, after ${last}.`;
    return refusedImport(path, where, 'Download or copy it again.');
  }
  if (code?.startsWith('Z_') === true) {
    return refusedImport(path, `the gzip file is damaged after ${last}.`, 'Download or copy it again.');
  }
  const refusal = refusedImport(path, `${reasonOf(error)}.`);
  return { ...refusal, code: code === 'ENOENT' ? 'not-found' : 'unavailable' };
}

function isBlank({ pieces }: FileRow): boolean {
  return pieces.every((piece) => piece.length < 1024 && piece.toString('latin1').trim() === '');
}

/**
 * Counts rows, passes those that are not blank on, and turns a refusal into what ends a stream. Between rows, other work
 * of this process gets its turn: a chunk has hundreds, and the next one is there already.
 */
class RowCounter {
  readonly #path: string;
  readonly #take: TakeRow;
  readonly #limits: ImportLimits;
  #rows = 0;
  #taken = 0;
  #last = 'its beginning';
  #breathed = performance.now();

  constructor(path: string, take: TakeRow, limits: ImportLimits) {
    this.#path = path;
    this.#take = take;
    this.#limits = limits;
  }

  /** Rows that were not blank. */
  get taken(): number {
    return this.#taken;
  }

  /** The place of the last row, e.g. "line 3". */
  get last(): string {
    return this.#last;
  }

  async push(row: FileRow): Promise<void> {
    if (performance.now() - this.#breathed > YIELD_EVERY_MS) {
      await breathe();
      this.#breathed = performance.now();
    }
    this.#rows += 1;
    this.#last = row.location;
    if (this.#rows > this.#limits.lines) {
      const many = `it has more than ${this.#limits.lines} lines.`;
      throw new Refused(refusedImport(this.#path, many, 'Is it the right file?'));
    }
    if (isBlank(row)) return;
    this.#taken += 1;
    const refusal = await this.#take(row);
    if (refusal !== null) throw new Refused(refusal);
  }
}

async function readTableRows(
  path: string,
  rows: RowCounter,
  fileBytes: number,
  { limits = importLimits, signal, readTable, onProgress }: ReadOptions,
): Promise<void> {
  if (readTable === undefined) throw new TableError('it is a Parquet file, and tables are not read here.');
  const { lines, lineBytes, unpackedBytes } = limits;
  const table = readTable(path, { rows: lines, rowBytes: lineBytes, bytes: unpackedBytes }, signal);
  for await (const row of table) {
    signal?.throwIfAborted();
    onProgress?.(Math.round(row.share * fileBytes), fileBytes);
    await rows.push(row);
  }
}

async function readStreamRows(
  path: string,
  rows: RowCounter,
  info: FileInfo,
  splitter: RowSplitter,
  { limits = importLimits, signal, onProgress }: ReadOptions,
): Promise<void> {
  const check = unpackedChecks(path, info, limits);
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  // After a failed consumer `pipeline` may throw only "aborted", so the first cause is saved here.
  let cause: unknown = null;
  const takeChunks = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    try {
      for await (const chunk of chunks) {
        signal?.throwIfAborted();
        check(chunk);
        onProgress?.(file.bytesRead, info.bytes);
        for (const row of splitter.push(chunk)) await rows.push(row);
      }
      for (const row of splitter.finish()) await rows.push(row);
    } catch (error) {
      cause ??= error;
      throw error;
    }
  };
  const options = signal === undefined ? {} : { signal };
  try {
    if (info.form === 'gzip') {
      await pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), takeChunks, options);
    } else await pipeline(file, takeChunks, options);
  } catch (error) {
    throw cause ?? error;
  }
}

/**
 * Reads the rows of a file, plain, gzipped or a Parquet table (recognised by its content, not its name), and returns
 * their number. Holds at most a row and some chunks in memory. Refuses whatever is wrong with a file. `mayBeList`: one
 * big JSON list is read as its entries.
 */
async function readFileRows(
  path: string,
  mayBeList: boolean,
  take: TakeRow,
  options: ReadOptions,
): Promise<Result<number, Refusal>> {
  const { limits = importLimits, signal } = options;
  const rows = new RowCounter(path, take, limits);
  try {
    const inspected = await inspect(path, limits);
    if (!inspected.ok) return inspected;
    if (inspected.value.form === 'parquet') await readTableRows(path, rows, inspected.value.bytes, options);
    else {
      const splitter = new RowSplitter(limits.lineBytes, mayBeList);
      await readStreamRows(path, rows, inspected.value, splitter, options);
    }
    return ok(rows.taken);
  } catch (error) {
    if (signal?.aborted === true) return failed(cancelledImport(path));
    return failed(streamRefusal(path, error, rows.last, limits));
  }
}

/** A row as text that may be parsed; the error is the end of a sentence. */
export function textOf(row: FileRow): Result<string, string> {
  const bytes = bytesOf(row);
  return isUtf8(bytes) ? withinRowSize(bytes.toString('utf8')) : failed('is not UTF-8 text.');
}

/** Lines of JSON, the entries of one JSON list, or the rows of a Parquet table as JSON. */
export function readImportRows(
  path: string,
  take: TakeRow,
  options: ReadOptions = {},
): Promise<Result<number, Refusal>> {
  return readFileRows(path, true, take, options);
}

/** Lines as trimmed text; the rows of a Parquet table are lines of JSON. */
export function readImportLines(
  path: string,
  take: TakeLine,
  options: ReadOptions = {},
): Promise<Result<number, Refusal>> {
  const takeRow: TakeRow = (row) => {
    const text = textOf(row);
    if (!text.ok) return refusedImport(path, `${row.location} ${text.error}`);
    return take(text.value.trim(), row.number);
  };
  return readFileRows(path, false, takeRow, options);
}
