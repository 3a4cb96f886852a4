import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { AsyncResult, FileSlice, Machine } from '../machines';
import { reasonOf, systemErrorCode, userFileMode } from '../storage';
import type { LogProgress } from './job-api';
import { digestScript } from './logic/log-scripts';

const PIECE_BYTES = 4_194_304;
/** After this long without an answer it gives up; the partial file stays, so that the next call can continue it. */
const GIVE_UP_MS = 600_000;
const LONGEST_WAIT_MS = 15_000;
/** Slowest assumed disk for computing a digest, bytes per second. */
const SLOWEST_DISK = 20_000_000;

/**
 * Copies the current content of a file on a machine to `path` on this computer. Continues after an interruption, also
 * one of an earlier call (`path.part`), then compares digests. Only a verified copy gets its final name.
 */
export async function saveLogFile(
  machine: Machine,
  source: string,
  path: string,
  report: LogProgress,
  signal: AbortSignal,
): Promise<Result<{ readonly path: string; readonly bytes: number }, Refusal>> {
  const part = `${path}.part`;
  const ask = <T>(request: () => AsyncResult<T>) => withRetry(request, signal);
  try {
    const first = await ask(() => machine.readSlice(source, 0, 0));
    if (!first.ok) return first;
    const total = first.value?.size ?? 0;
    const timeoutMs = 60_000 + (total / SLOWEST_DISK) * 1_000;
    // The digest reveals a partial file of something else or of a rewritten log: then everything is read again.
    for (const isFresh of [false, true]) {
      const digest = await copy(part, isFresh, total, ask, machine, source, report);
      if (!digest.ok) return digest;
      const result = await ask(() => machine.run(digestScript(source, total), { timeoutMs, signal }));
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
      message: `Cannot save the log to ${path}: ${reasonOf(error)}.`,
    });
  }
}

/** Extends the partial file to `total` bytes; returns the digest of its content. */
async function copy(
  part: string,
  isFresh: boolean,
  total: number,
  ask: <T>(request: () => AsyncResult<T>) => AsyncResult<T>,
  machine: Machine,
  source: string,
  report: LogProgress,
): Promise<Result<string, Refusal>> {
  const existing = isFresh ? 0 : await existingBytes(part, total);
  const hash = createHash('sha256');
  if (existing > 0) await digestFile(part, hash);
  const file: FileHandle = await open(part, existing > 0 ? 'r+' : 'w', 0o600);
  try {
    for (let offset = existing; offset < total; ) {
      report(offset, total);
      const slice: Result<FileSlice | null, Refusal> = await ask(() =>
        machine.readSlice(source, offset, Math.min(PIECE_BYTES, total - offset)),
      );
      if (!slice.ok) return slice;
      const bytes = slice.value?.bytes ?? new Uint8Array();
      // The file became shorter: the digests will differ.
      if (bytes.length === 0) break;
      await file.write(bytes, 0, bytes.length, offset);
      hash.update(bytes);
      offset += bytes.length;
    }
    await file.sync();
    report(total, total);
    return ok(hash.digest('hex'));
  } finally {
    await file.close();
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

async function digestFile(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path)) hash.update(chunk);
}

/** Retries with increasing waits while the machine does not answer. */
async function withRetry<T>(request: () => AsyncResult<T>, signal: AbortSignal): AsyncResult<T> {
  let waitMs = 250;
  for (let waitedMs = 0; ; waitedMs += waitMs) {
    if (signal.aborted) return failed({ code: 'cancelled', message: 'Saving the log was cancelled.' });
    const answer = await request();
    if (answer.ok || answer.error.code !== 'unreachable' || waitedMs >= GIVE_UP_MS) return answer;
    // An abort ends the wait; the loop then returns.
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}
