import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, type FileHandle, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LeftOutPart, leftOutText, type Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { AsyncResult, FileSlice, Machine } from '../machines';
import { hashFile, reasonOf, systemErrorCode, userFileMode } from '../storage';
import type { LogProgress } from './job-api';
import { digestScript, type SavedPart } from './logic/log-scripts';
import { readLeftOut } from './stored-log';

const PIECE_BYTES = 4_194_304;
/** After this long without an answer it gives up; the partial file stays, so that the next call can continue it. */
const GIVE_UP_MS = 600_000;
const LONGEST_WAIT_MS = 15_000;
/** Slowest assumed disk for computing a digest, bytes per second. */
const SLOWEST_DISK = 20_000_000;

/** Copies again where a part of the log was left out while it was copied. */
const MAX_COPIES = 5;

type Saved = { readonly path: string; readonly bytes: number };

/** Copies the current content of a log as `saveFile` does, with a line in place of what was left out. */
export function saveLogFile(
  machine: Machine,
  source: string,
  path: string,
  report: LogProgress,
  signal: AbortSignal,
): AsyncResult<Saved> {
  return saveFile(machine, source, path, report, signal, readLeftOut);
}

/**
 * Copies the current content of a regular file on a machine to `path` on this computer. Continues after an interruption,
 * also one of an earlier call (`path.part`), then compares digests. Only a verified copy gets its final name.
 */
export async function saveFile(
  machine: Machine,
  source: string,
  path: string,
  report: LogProgress,
  signal: AbortSignal,
  leftOutPart: typeof readLeftOut = async () => ok(null),
): AsyncResult<Saved> {
  if (!existsSync(dirname(path))) {
    return failed({
      code: 'bad-input',
      message: `Cannot save ${path}: the folder ${dirname(path)} does not exist.`,
    });
  }
  const part = `${path}.part`;
  const ask = <T>(request: () => AsyncResult<T>) => withRetry(request, signal);
  let copied: LeftOutPart | null = null;
  try {
    // The digest reveals a partial file of something else or of a rewritten log: then everything is read again.
    for (let copies = 1; ; copies++) {
      const first = await ask(() => machine.readSlice(source, 0, 0));
      if (!first.ok) return first;
      const leftOut = await ask(() => leftOutPart(machine, source));
      if (!leftOut.ok) return leftOut;
      if (copies > 2 && (leftOut.value?.to === copied?.to || copies > MAX_COPIES)) break;
      copied = leftOut.value;
      const size = first.value?.size ?? 0;
      const parts = savedParts(size, leftOut.value);
      const total = parts.reduce((sum, one) => sum + bytesOf(one), 0);
      const existing = copies > 1 ? 0 : await existingBytes(part, total);
      const room = await diskSpaceRefusal(path, total, existing);
      if (!room.ok) return room;
      const timeoutMs = 60_000 + (total / SLOWEST_DISK) * 1_000;
      const digest = await copy({ part, existing, parts, total }, ask, machine, source, report);
      if (!digest.ok) return digest;
      const result = await ask(() => machine.run(digestScript(source, parts), { timeoutMs, signal }));
      if (!result.ok) return result;
      const remote = result.value.stdout.trim();
      if (remote !== digest.value && remote !== '') continue;
      await chmod(part, userFileMode());
      await rename(part, path);
      return ok({ path, bytes: total });
    }
    await rm(part, { force: true });
    const message = `The copy of ${source} differs from the file on "${machine.spec.name}", which is being rewritten.`;
    return failed({ code: 'conflict', message, hint: 'Try again when nothing rewrites it.' });
  } catch (error) {
    return failed({
      code: 'unavailable',
      message: `Cannot save ${path}: ${reasonOf(error)}.`,
    });
  }
}

/** Refused before the first byte where the disk has too little room for what is missing. */
async function diskSpaceRefusal(path: string, total: number, existing: number): AsyncResult<null> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize >= total - existing) return ok(null);
  const sizes = [total - existing, bavail * bsize].map((bytes) => `${(bytes / 1e9).toFixed(2)} GB`);
  return failed({
    code: 'unavailable',
    message: `Cannot save ${path}: ${sizes[0]} are missing, and its disk has ${sizes[1]} free.`,
  });
}

function savedParts(size: number, leftOut: LeftOutPart | null): readonly SavedPart[] {
  if (leftOut === null) return [{ kind: 'bytes', from: 0, to: size }];
  return [
    { kind: 'bytes', from: 0, to: leftOut.from },
    { kind: 'text', text: `${leftOutText(leftOut)}\n` },
    { kind: 'bytes', from: leftOut.to, to: Math.max(size, leftOut.to) },
  ];
}

function bytesOf(part: SavedPart): number {
  return part.kind === 'bytes' ? part.to - part.from : Buffer.byteLength(part.text);
}

type Copy = {
  /** Path of the partial file. */
  readonly part: string;
  /** Bytes that it has and that are kept. */
  readonly existing: number;
  readonly parts: readonly SavedPart[];
  /** Bytes of all parts. */
  readonly total: number;
};

/** Extends the partial file to `total` bytes; returns the digest of its content. */
async function copy(
  { part, existing, parts, total }: Copy,
  ask: <T>(request: () => AsyncResult<T>) => AsyncResult<T>,
  machine: Machine,
  source: string,
  report: LogProgress,
): Promise<Result<string, Refusal>> {
  const hash = createHash('sha256');
  if (existing > 0) await hashFile(part, hash);
  const file: FileHandle = await open(part, existing > 0 ? 'r+' : 'w', 0o600);
  try {
    let begin = 0;
    for (const one of parts) {
      const end = begin + bytesOf(one);
      for (let offset = Math.max(existing, begin); offset < end; ) {
        report(offset, total);
        const bytes = await piece(one, offset - begin, end - offset);
        if (!bytes.ok) return bytes;
        // The file became shorter: the digests will differ.
        if (bytes.value.length === 0) break;
        await file.write(bytes.value, 0, bytes.value.length, offset);
        hash.update(bytes.value);
        offset += bytes.value.length;
      }
      begin = end;
    }
    await file.sync();
    report(total, total);
    return ok(hash.digest('hex'));
  } finally {
    await file.close();
  }

  async function piece(one: SavedPart, skip: number, left: number): AsyncResult<Uint8Array> {
    if (one.kind === 'text') return ok(Buffer.from(one.text).subarray(skip));
    const slice: Result<FileSlice | null, Refusal> = await ask(() =>
      machine.readSlice(source, one.from + skip, Math.min(PIECE_BYTES, left)),
    );
    return slice.ok ? ok(slice.value?.bytes ?? new Uint8Array()) : slice;
  }
}

async function existingBytes(part: string, total: number): Promise<number> {
  try {
    const file = await stat(part);
    return file.isFile() && file.size <= total ? file.size : 0;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Retries with increasing waits while the machine does not answer. */
async function withRetry<T>(request: () => AsyncResult<T>, signal: AbortSignal): AsyncResult<T> {
  let waitMs = 250;
  for (let waitedMs = 0; ; waitedMs += waitMs) {
    if (signal.aborted)
      return failed({
        code: 'cancelled',
        message: 'Saving was cancelled; what was copied stays, and the next time continues it.',
      });
    const answer = await request();
    if (answer.ok || answer.error.code !== 'unreachable' || waitedMs >= GIVE_UP_MS) return answer;
    // An abort ends the wait; the loop then returns.
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}
