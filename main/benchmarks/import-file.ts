import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { reasonOf, systemErrorCode } from '../storage';
import { cancelledImport, refusedImport } from './import-refusals';
import { fileKindOf } from './logic/file-kind';
import { JsonListError } from './logic/json-list-splitter';
import { ParquetError, parquetRows } from './parquet-rows';
import { bytesOf, type FileRow, RowSplitter, RowTooLongError } from './row-splitter';

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

/** Called for each line that is not blank, in order; `lineNumber` counts from 1. A refusal ends the reading. */
export type TakeLine = (line: string, lineNumber: number) => Refusal | null | Promise<Refusal | null>;

export type TakeRow = (row: FileRow) => Refusal | null | Promise<Refusal | null>;

export type ReadOptions = {
  readonly limits?: ImportLimits;
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the file as it lies on the disk, so far and in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
};

/** Carries a refusal out of a stream's callbacks, which can only throw. */
class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

function sizeText(bytes: number): string {
  return bytes >= 1024 ** 3 ? `${(bytes / 1024 ** 3).toFixed(1)} GB` : `${Math.ceil(bytes / 1024 ** 2)} MB`;
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

/** Checks the unpacked bytes: their kind and their size. */
function unpackedChecks(path: string, limits: ImportLimits): (chunk: Buffer) => void {
  let bytes = 0;
  return (chunk) => {
    if (bytes === 0 && chunk.length > 0) {
      const kind = fileKindOf(chunk);
      if (kind.kind === 'gzip') {
        throw new Refused(
          refusedImport(
            path,
            'it is gzipped twice.',
            `Unpack it once and import the result: gunzip -c "${path}" > once.jsonl.gz`,
          ),
        );
      }
      if (kind.kind === 'parquet') {
        throw new Refused(
          refusedImport(
            path,
            'it is a gzipped Parquet file.',
            `Unpack it and import the result: gunzip "${path}"`,
          ),
        );
      }
      if (kind.kind === 'other')
        throw new Refused(refusedImport(path, `it holds ${kind.name}, not JSON lines.`));
    }
    bytes += chunk.length;
    if (bytes > limits.unpackedBytes) {
      const much = `it unpacks to more than ${sizeText(limits.unpackedBytes)}.`;
      throw new Refused(refusedImport(path, much, 'Is it the right file?'));
    }
  };
}

function streamRefusal(path: string, error: unknown, limits: ImportLimits): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof RowTooLongError) {
    return refusedImport(path, `${error.location} is longer than ${sizeText(limits.lineBytes)}.`);
  }
  if (error instanceof ParquetError) {
    return refusedImport(path, error.message, 'Download it again, or import the data as JSON lines.');
  }
  if (error instanceof JsonListError) return refusedImport(path, error.message);
  const code = systemErrorCode(error);
  if (code === 'ABORT_ERR') return cancelledImport(path);
  if (code === 'Z_BUF_ERROR') {
    return refusedImport(path, 'the gzip file is cut off before its end.', 'Download or copy it again.');
  }
  if (code?.startsWith('Z_') === true) {
    return refusedImport(path, 'the gzip file is damaged.', 'Download or copy it again.');
  }
  const refusal = refusedImport(path, `${reasonOf(error)}.`);
  return { ...refusal, code: code === 'ENOENT' ? 'not-found' : 'unavailable' };
}

function isBlank({ pieces }: FileRow): boolean {
  return pieces.every((piece) => piece.length < 1024 && piece.toString('latin1').trim() === '');
}

/**
 * Reads the rows of a file, plain, gzipped or a Parquet table (recognised by its content, not its name), and returns
 * their number. Holds at most a row and some chunks in memory (of a table, a group of its rows). Refuses whatever is
 * wrong with a file. `mayBeList`: one big JSON list is read as its entries.
 */
async function readFileRows(
  path: string,
  mayBeList: boolean,
  take: TakeRow,
  { limits = importLimits, signal, onProgress }: ReadOptions,
): Promise<Result<number, Refusal>> {
  const splitter = new RowSplitter(limits.lineBytes, mayBeList);
  let rows = 0;
  let taken = 0;
  // After a failed consumer `pipeline` may throw only "aborted", so the first cause is saved here.
  let cause: unknown = null;
  const takeRow = async (row: FileRow): Promise<void> => {
    rows += 1;
    if (rows > limits.lines) {
      throw new Refused(
        refusedImport(path, `it has more than ${limits.lines} lines.`, 'Is it the right file?'),
      );
    }
    if (isBlank(row)) return;
    taken += 1;
    const refusal = await take(row);
    if (refusal !== null) throw new Refused(refusal);
  };
  const check = unpackedChecks(path, limits);
  let progress = (): void => undefined;
  const takeChunk = async (chunk: Buffer): Promise<void> => {
    signal?.throwIfAborted();
    check(chunk);
    progress();
    for (const row of splitter.push(chunk)) await takeRow(row);
  };
  const takeChunks = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    try {
      for await (const chunk of chunks) await takeChunk(chunk);
      for (const row of splitter.finish()) await takeRow(row);
    } catch (error) {
      cause ??= error;
      throw error;
    }
  };

  try {
    const inspected = await inspect(path, limits);
    if (!inspected.ok) return inspected;
    const { form, bytes } = inspected.value;
    if (form === 'parquet') {
      for await (const { json, share } of parquetRows(path, limits.lines)) {
        signal?.throwIfAborted();
        onProgress?.(Math.round(share * bytes), bytes);
        const [number, location, bytesOfRow] = [rows + 1, `row ${rows + 1}`, Buffer.from(json)];
        if (bytesOfRow.length > limits.lineBytes) throw new RowTooLongError(location);
        await takeRow({ pieces: [bytesOfRow], number, location });
      }
      return ok(taken);
    }
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    progress = () => onProgress?.(file.bytesRead, bytes);
    const options = signal === undefined ? {} : { signal };
    if (form === 'gzip') {
      await pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), takeChunks, options);
    } else await pipeline(file, takeChunks, options);
    return ok(taken);
  } catch (error) {
    if (signal?.aborted === true) return failed(cancelledImport(path));
    return failed(streamRefusal(path, cause ?? error, limits));
  }
}

/** A row as text; the error is the end of a sentence. */
export function textOf(row: FileRow): Result<string, string> {
  const bytes = bytesOf(row);
  return isUtf8(bytes) ? ok(bytes.toString('utf8')) : failed('is not UTF-8 text.');
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
  limits: ImportLimits = importLimits,
): Promise<Result<number, Refusal>> {
  const takeRow: TakeRow = (row) => {
    const text = textOf(row);
    if (!text.ok) return refusedImport(path, `${row.location} ${text.error}`);
    return take(text.value.trim(), row.number);
  };
  return readFileRows(path, false, takeRow, { limits });
}
