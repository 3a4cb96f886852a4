import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from '../../preload/contract';
import { failed, ok, type Result } from '../base';
import type { Asked, FileSlice, Machine } from '../machines';
import { reasonOf } from '../storage';
import type { LogProgress } from './job-api';
import { digestScript } from './logic/digest-script';

const PIECE_BYTES = 4_194_304;
/** A machine that does not answer for so long is given up; what was saved stays beside the file, to be gone on with. */
const PATIENCE_MS = 600_000;
const LONGEST_WAIT_MS = 15_000;
/** The slowest disk that a digest is waited for, bytes per second. */
const SLOWEST_DISK = 20_000_000;

/**
 * Copies what a file on a machine holds now to `path` on this computer. Goes on where it was cut, also when it was
 * begun by an earlier call (`path.part`); then compares digests of the whole. Only what is right gets the name.
 */
export async function saveLogFile(
  machine: Machine,
  source: string,
  path: string,
  report: LogProgress,
  signal: AbortSignal,
): Promise<Result<{ readonly path: string; readonly bytes: number }, Refusal>> {
  const part = `${path}.part`;
  const ask = <T>(question: () => Asked<T>) => patiently(question, signal);
  try {
    const first = await ask(() => machine.readSlice(source, 0, 0));
    if (!first.ok) return first;
    const total = first.value?.size ?? 0;
    const timeoutMs = 60_000 + (total / SLOWEST_DISK) * 1_000;
    // A part of something else, or of a log that was written anew, is found out by its digest: then all is read again.
    for (const isFresh of [false, true]) {
      const digest = await copy(part, isFresh, total, ask, machine, source, report);
      if (!digest.ok) return digest;
      const told = await ask(() => machine.run(digestScript(source, total), { timeoutMs, signal }));
      if (!told.ok) return told;
      const there = told.value.stdout.trim();
      if (there !== digest.value && there !== '') continue;
      await rename(part, path);
      return ok({ path, bytes: total });
    }
    await rm(part, { force: true });
    const message = `What was copied of ${source} differs from what "${machine.spec.name}" has: it is being rewritten there.`;
    return failed({ code: 'conflict', message, hint: 'Try again when nothing rewrites it.' });
  } catch (error) {
    return failed({
      code: 'unavailable',
      message: `The log can not be saved to ${path}: ${reasonOf(error)}.`,
    });
  }
}

/** Fills the part file up to `total` bytes; answers the digest of what it holds then. */
async function copy(
  part: string,
  isFresh: boolean,
  total: number,
  ask: <T>(question: () => Asked<T>) => Asked<T>,
  machine: Machine,
  source: string,
  report: LogProgress,
): Promise<Result<string, Refusal>> {
  const kept = isFresh ? 0 : await keptBytes(part, total);
  const hash = createHash('sha256');
  if (kept > 0) await digestFile(part, hash);
  const file: FileHandle = await open(part, kept > 0 ? 'r+' : 'w', 0o600);
  try {
    for (let offset = kept; offset < total; ) {
      report(offset, total);
      const slice: Result<FileSlice | null, Refusal> = await ask(() =>
        machine.readSlice(source, offset, Math.min(PIECE_BYTES, total - offset)),
      );
      if (!slice.ok) return slice;
      const bytes = slice.value?.bytes ?? new Uint8Array();
      // It has become shorter: the digests will tell.
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

async function keptBytes(part: string, total: number): Promise<number> {
  const found = await stat(part).catch(() => null);
  return found?.isFile() && found.size <= total ? found.size : 0;
}

async function digestFile(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path)) hash.update(chunk);
}

/** Asks again, with growing waits, while the machine does not answer. */
async function patiently<T>(question: () => Asked<T>, signal: AbortSignal): Asked<T> {
  let waitMs = 250;
  for (let waitedMs = 0; ; waitedMs += waitMs) {
    if (signal.aborted) return failed({ code: 'cancelled', message: 'Saving the log was cancelled.' });
    const answer = await question();
    if (answer.ok || answer.error.code !== 'unreachable' || waitedMs >= PATIENCE_MS) return answer;
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}
