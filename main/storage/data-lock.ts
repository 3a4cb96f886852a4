import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Refusal } from '../../preload/contract';
import { counted, type Disposable, failed, ok, type Result } from '../base';
import { dataFolderRefusal, LOCK_NAME } from './data-folder';
import { makeFolder } from './durable-file';
import {
  acquireLock,
  type FoundLock,
  isInSameScope,
  type LockHolder,
  type LockRequester,
  leaseLeftMs,
  parseHolder,
  readLock,
  removeTemporaryFiles,
  scopeOf,
} from './lock-file';
import { type ProcessScope, processScope, processStart } from './process-identity';
import { reasonOf, systemErrorCode } from './system-error';

/**
 * The lease, for hosts and containers that cannot look up the holder's process: the holder writes its lock file again every
 * `beatMs`, and after `staleMs` without that it counts as gone. Network file systems may show a change up to a minute late.
 */
const LEASE = { beatMs: 15_000, staleMs: 120_000 };

/** Exclusive use of a data folder, until it is disposed or the process ends. */
export type DataLock = Disposable & { readonly holder: LockHolder };

export type DataLockOptions = {
  /**
   * The lock was lost: this process, or its computer, stood still for so long that another one took over. It must write
   * nothing more. Default: an exception that nobody catches.
   */
  readonly onLost?: (refusal: Refusal) => void;
  /** See `LockHolder`. */
  readonly command?: string;
  readonly scope?: ProcessScope;
  readonly lease?: { readonly beatMs: number; readonly staleMs: number };
};

/** Why a data folder cannot be locked. `isHeldHere`: by a process that can be looked up from here, so it is still running. */
export type LockRefusal = Refusal & { readonly isHeldHere?: true };

/** How FAT and some network file systems refuse a hard link; "not permitted" would mislead. */
function lockReason(error: unknown): string {
  const code = systemErrorCode(error) ?? '';
  const isLink = error instanceof Error && 'syscall' in error && error.syscall === 'link';
  if (isLink && ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) {
    return 'its file system has no hard links, which the lock needs';
  }
  return reasonOf(error);
}

async function heldRefusal(
  dataDir: string,
  found: FoundLock,
  requester: LockRequester,
): Promise<LockRefusal> {
  const path = join(dataDir, LOCK_NAME);
  const { holder } = found;
  if (holder === 'unreadable') {
    return {
      code: 'conflict',
      message: `The data folder ${dataDir} may be in use: its lock file ${path} is damaged or not a lock file of the workbench.`,
      hint: `If no workbench is running on this folder, delete ${path}.`,
    };
  }
  const scope = scopeOf(holder);
  if (isInSameScope(holder, requester)) {
    return {
      code: 'conflict',
      message:
        holder.command === undefined
          ? `The data folder ${dataDir} is in use by another workbench (process ${holder.pid}). Close that one, or choose another folder with --data.`
          : `The data folder ${dataDir} is in use by another workbench: the command "${holder.command}" in a terminal (process ${holder.pid}), which ends by itself. Wait for its end, stop it there with Ctrl+C, or choose another folder with --data.`,
      isHeldHere: true,
    };
  }
  const where =
    scope?.boot === requester.scope.boot && scope?.boot !== null
      ? `in another container of this computer (${holder.host})`
      : `on the computer ${holder.host}`;
  const leftMs = await leaseLeftMs(found, requester);
  return {
    code: 'conflict',
    message: `The data folder ${dataDir} is in use by a workbench ${where} (process ${holder.pid}). Close it there, or choose another folder with --data.`,
    hint:
      leftMs === null
        ? `If no workbench is running there any more, delete ${path}.`
        : `If it is not running any more, its lock ends by itself: try again in ${counted(Math.ceil(leftMs / 1_000) + 1, 'second')}.`,
  };
}

/**
 * Locks a data folder for this process; creates the folder if it is missing. Takes over a lock at once if its process, in
 * this place, has ended or another process now has its id; the lock of another host or PID namespace only once it is stale
 * (`LEASE`). Refuses with `conflict`, naming the holder, with `bad-input` a folder
 * that holds something else, or with `unavailable` if the folder cannot be used.
 */
export async function lockDataDir(
  dataDir: string,
  options: DataLockOptions = {},
): Promise<Result<DataLock, LockRefusal>> {
  const refusal = dataFolderRefusal(dataDir);
  return refusal === null ? lockFolder(dataDir, options) : failed(refusal);
}

/** As `lockDataDir`, for a folder with any files, as that of a training. */
export async function lockFolder(
  dataDir: string,
  options: DataLockOptions = {},
): Promise<Result<DataLock, LockRefusal>> {
  const { lease = LEASE } = options;
  const path = join(dataDir, LOCK_NAME);
  const token = randomBytes(16).toString('hex');
  const ownPath = `${path}.mine-${token}`;
  try {
    const scope = options.scope ?? (await processScope());
    const start = (await processStart(process.pid)) ?? 'unknown';
    const { command } = options;
    const holder: LockHolder = {
      ...{ pid: process.pid, start, ...scope, token },
      ...(command === undefined ? {} : { command }),
    };
    const requester: LockRequester = { scope, lease, file: ownPath };
    await makeFolder(dataDir);
    let file: FileHandle | null = null;
    try {
      file = await open(ownPath, 'wx');
      await file.writeFile(`${JSON.stringify(holder)}\n`);
      const attempt = await acquireLock(dataDir, LOCK_NAME, requester);
      if (attempt.kind === 'held') {
        const refusal = await heldRefusal(dataDir, attempt.by, requester);
        await file.close();
        return failed(refusal);
      }
      await removeTemporaryFiles(dataDir, requester);
    } catch (error) {
      await file?.close();
      throw error;
    } finally {
      await rm(ownPath, { force: true });
    }
    const lost = (how: 'taken' | 'gone'): void => {
      stop();
      const reason =
        how === 'taken'
          ? `Another workbench has taken over the data folder ${dataDir}, because this one stood still for over ${lease.staleMs / 1_000} seconds, as while a computer sleeps.`
          : `The lock of the data folder ${dataDir} is gone: another workbench has used the folder while this one stood still, or somebody deleted ${path}.`;
      const refusal: Refusal = {
        code: 'conflict',
        message: `${reason} This one closes now, so that the two do not write into each other's files. Nothing finished is lost: close the other one, if it still runs, and start this one again.`,
      };
      if (options.onLost === undefined) throw new Error(refusal.message);
      options.onLost(refusal);
    };
    const stop = startHeartbeat(file, holder, path, lease.beatMs, lost);
    return ok({
      holder,
      dispose: () => {
        stop();
        release(path, token);
      },
    });
  } catch (error) {
    return failed({
      code: 'unavailable',
      message: `The data folder ${dataDir} cannot be used: ${lockReason(error)}. Choose another folder with --data.`,
    });
  }
}

/**
 * Writes the lock file again and again, through the file that was opened when it was made, so that it is never somebody
 * else's: the same bytes, whose time is then the server's. Answers how to stop.
 */
function startHeartbeat(
  file: FileHandle,
  holder: LockHolder,
  path: string,
  everyMs: number,
  onLost: (how: 'taken' | 'gone') => void,
): () => void {
  const text = `${JSON.stringify(holder)}\n`;
  let stopped = false;
  let busy = false;
  const once = async (): Promise<void> => {
    if (busy) return; // a slow disk
    busy = true;
    try {
      const now = await readLock(path);
      // Another one may have had it and given it back: what it wrote, nobody here knows. Without the folder there is
      // nothing to lose.
      const isGone = now === null && (await hasFolder(dirname(path)));
      if (stopped) return;
      if (isGone || (now !== null && (now.holder === 'unreadable' || now.holder.token !== holder.token))) {
        setImmediate(() => onLost(isGone ? 'gone' : 'taken'));
        return;
      }
      await file.write(text, 0);
      await file.datasync();
    } catch {
      // A full or vanished disk: the writers of records report it. The next heartbeat tries again.
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void once(), everyMs);
  timer.unref();
  return () => {
    if (stopped) return;
    stopped = true;
    clearInterval(timer);
    file.close().catch(() => undefined); // nothing is written through it any more
  };
}

async function hasFolder(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => null)) !== null;
}

/** Releases the lock if it is still ours; safe to call twice. */
function release(path: string, token: string): void {
  try {
    if (parseHolder(readFileSync(path, 'utf8'))?.token === token) rmSync(path, { force: true });
  } catch {
    // A folder that is gone needs no lock; a lock left behind is taken over as that of a dead process.
  }
}
