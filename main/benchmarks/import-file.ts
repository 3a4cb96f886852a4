import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import { LineSplitter, LineTooLongError, reasonOf, systemErrorCode } from '../store';
import { fileKindOf } from './logic/file-kind';
import { refusedImport } from './refused-import';

/** Far above any benchmark's file; below what would fill a disk or a day. */
export type ImportLimits = {
  readonly fileBytes: number;
  /** After unpacking: a small file can unpack to anything. */
  readonly unpackedBytes: number;
  readonly lineBytes: number;
  readonly lines: number;
};
export const importLimits: ImportLimits = {
  fileBytes: 2 * 1024 ** 3,
  unpackedBytes: 4 * 1024 ** 3,
  lineBytes: 64 * 1024 ** 2,
  lines: 5_000_000,
};

const CHUNK_BYTES = 256 * 1024;

/** Called for each line that is not blank, in order; `lineNumber` counts from 1. A refusal ends the reading. */
export type TakeLine = (line: string, lineNumber: number) => Refusal | null | Promise<Refusal | null>;

/** A refusal on its way out of a stream's callbacks, which know only thrown errors. */
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

/** Is the file one that can be read at all, and is it packed? */
async function inspect(path: string, limits: ImportLimits): Promise<Result<'plain' | 'gzip', Refusal>> {
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
    return ok(kind.kind);
  } finally {
    await handle.close();
  }
}

/** Checks what gzip gave, from its first bytes to its size. */
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

function textOf(path: string, bytes: Buffer, lineNumber: number): string {
  if (!isUtf8(bytes)) throw new Refused(refusedImport(path, `line ${lineNumber} is not UTF-8 text.`));
  const text = bytes.toString('utf8');
  // Some editors put a byte order mark in front of a file.
  return lineNumber === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
}

function streamRefusal(path: string, error: unknown, limits: ImportLimits): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof LineTooLongError) {
    return refusedImport(path, `line ${error.lineNumber} is longer than ${sizeText(limits.lineBytes)}.`);
  }
  const code = systemErrorCode(error);
  if (code === 'Z_BUF_ERROR') {
    return refusedImport(path, 'the gzip file is cut off before its end.', 'Download or copy it again.');
  }
  if (code?.startsWith('Z_') === true) {
    return refusedImport(path, 'the gzip file is damaged.', 'Download or copy it again.');
  }
  const refusal = refusedImport(path, `${reasonOf(error)}.`);
  return { ...refusal, code: code === 'ENOENT' ? 'not-found' : 'unavailable' };
}

/**
 * Reads a file of lines, plain or gzipped (told by its content, not its name), and gives the number of lines taken.
 * Never more than a line and some chunks are in memory, whatever the file is. Everything that can be wrong with
 * a file is a refusal.
 */
export async function readImportLines(
  path: string,
  take: TakeLine,
  limits: ImportLimits = importLimits,
): Promise<Result<number, Refusal>> {
  const splitter = new LineSplitter(limits.lineBytes);
  let lines = 0;
  let taken = 0;
  // What `pipeline` throws after a failed consumer may be no more than "aborted": the first cause is kept here.
  let cause: unknown = null;
  const takeLine = async (bytes: Buffer): Promise<void> => {
    lines += 1;
    if (lines > limits.lines) {
      throw new Refused(
        refusedImport(path, `it has more than ${limits.lines} lines.`, 'Is it the right file?'),
      );
    }
    const line = textOf(path, bytes, lines).trim();
    if (line === '') return;
    taken += 1;
    const refusal = await take(line, lines);
    if (refusal !== null) throw new Refused(refusal);
  };
  const check = unpackedChecks(path, limits);
  const takeChunk = async (chunk: Buffer): Promise<void> => {
    check(chunk);
    for (const line of splitter.push(chunk)) await takeLine(line.bytes);
  };
  const takeChunks = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    const kept = (error: unknown): never => {
      cause = error;
      throw error;
    };
    for await (const chunk of chunks) await takeChunk(chunk).catch(kept);
    const rest = splitter.rest();
    if (rest !== null) await takeLine(rest.bytes).catch(kept);
  };

  try {
    const form = await inspect(path, limits);
    if (!form.ok) return form;
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    if (form.value === 'gzip') await pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), takeChunks);
    else await pipeline(file, takeChunks);
    return ok(taken);
  } catch (error) {
    return failed(streamRefusal(path, cause ?? error, limits));
  }
}
