import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { type FileHandle, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Refusal } from '../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../base';
import { makeFolder } from './durable-file';
import { isSameScope, type ProcessScope, processScope, processStart } from './process-identity';
import { reasonOf, systemErrorCode } from './system-error';

const LOCK_NAME = 'workbench.lock';
/** A lock file that is still unreadable after this time was left by a process that was killed while writing it. */
const ABANDONED_MS = 60_000;
/** How long to wait while another process takes over a dead one's lock: attempts x pause. */
const ATTEMPTS = 200;
const PAUSE_MS = 10;
/**
 * The lease, for hosts and containers that cannot look up the holder's process: the holder writes its lock file again every
 * `beatMs`, and after `staleMs` without that it counts as gone. Network file systems may show a change up to a minute late.
 */
const LEASE = { beatMs: 15_000, staleMs: 120_000 };

const holderSchema = z.object({
  pid: z.number().int().positive(),
  /** See `processStart`. */
  start: z.string(),
  host: z.string(),
  /** See `ProcessScope`. Left out by versions that kept no lease. */
  boot: z.string().nullable().optional(),
  pidNamespace: z.string().nullable().optional(),
  /** Unique to each time that the lock is taken. */
  token: z.string().regex(/^[0-9a-f]{32}$/),
});
export type LockHolder = z.infer<typeof holderSchema>;

/** Exclusive use of a data folder, until it is disposed or the process ends. */
export type DataLock = Disposable & { readonly holder: LockHolder };

export type DataLockOptions = {
  /**
   * The lock was lost: this process, or its computer, stood still for so long that another one took over. It must write
   * nothing more. Default: an exception that nobody catches.
   */
  readonly onLost?: (refusal: Refusal) => void;
  readonly scope?: ProcessScope;
  readonly lease?: { readonly beatMs: number; readonly staleMs: number };
};

function parseHolder(text: string): LockHolder | null {
  try {
    const parsed = holderSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // not JSON
  }
}

/** `beatAtMs`: when the file was last written, by the clock of its file system. */
type FoundLock = { readonly holder: LockHolder | 'unreadable'; readonly beatAtMs: number };

/** null: no such file. `unreadable`: not one of ours, or damaged. */
async function readLock(path: string): Promise<FoundLock | null> {
  try {
    // Opening it makes a network file system ask its server for the newest time.
    const file = await open(path, 'r');
    try {
      const { mtimeMs } = await file.stat();
      return { holder: parseHolder(await file.readFile('utf8')) ?? 'unreadable', beatAtMs: mtimeMs };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Who tries to take a lock. */
type Taker = {
  readonly scope: ProcessScope;
  readonly lease: { readonly beatMs: number; readonly staleMs: number };
  /** Its finished lock file, written just now: its time is the present by the file system's own clock. */
  readonly file: string;
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function scopeOf({ host, boot, pidNamespace }: LockHolder): ProcessScope | null {
  return boot === undefined || pidNamespace === undefined ? null : { host, boot, pidNamespace };
}

/** Can the holder's process be looked up from here? Versions without a lease named their host alone. */
function isHere(holder: LockHolder, { scope }: Taker): boolean {
  const other = scopeOf(holder);
  return other === null ? holder.host === scope.host : isSameScope(scope, other);
}

/** Milliseconds until another host may take it over; 0: now. null: never, as its version keeps no lease. */
async function leaseLeft(found: FoundLock, { lease, file }: Taker): Promise<number | null> {
  if (found.holder === 'unreadable' || scopeOf(found.holder) === null) return null;
  // Both times are of one clock. A time in the future is one that was set back since: it says as little as an old one.
  const ageMs = Math.abs((await stat(file)).mtimeMs - found.beatAtMs);
  return Math.max(0, lease.staleMs - ageMs);
}

/** In the same place the process is looked up; elsewhere the lease decides. */
async function isAlive(found: FoundLock, taker: Taker): Promise<boolean> {
  const { holder } = found;
  if (holder === 'unreadable') return true;
  if (isHere(holder, taker)) return (await processStart(holder.pid)) === holder.start;
  return (await leaseLeft(found, taker)) !== 0;
}

/** As `isAlive`, for the lock itself: the clock may have jumped or the computer slept, so a stale one may beat again. */
async function isAliveOrWakes(path: string, found: FoundLock, taker: Taker): Promise<boolean> {
  if (await isAlive(found, taker)) return true;
  if (found.holder === 'unreadable' || isHere(found.holder, taker)) return false;
  await sleep(1.5 * taker.lease.beatMs);
  return (await readLock(path))?.beatAtMs !== found.beatAtMs;
}

type Attempt = { readonly kind: 'taken' } | { readonly kind: 'held'; readonly by: FoundLock };

/**
 * Tries to take the lock at `path`. Linking a finished file is atomic and fails if the name exists, so nobody sees a
 * half-written lock. To replace the lock of a dead process, a process first takes a second lock, the claim, with the
 * dead lock's token in its name. Tokens are never reused, so of two competing processes one wins, and the other finds a
 * new token when it reads the lock again. The claim of a process that died is replaced in the same way.
 */
async function take(folder: string, name: string, taker: Taker): Promise<Attempt> {
  const path = join(folder, name);
  let seen: FoundLock = { holder: 'unreadable', beatAtMs: 0 };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await link(taker.file, path);
      return { kind: 'taken' };
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
    const found = await readLock(path);
    if (found === null) continue; // released in between
    seen = found;
    const { holder } = found;
    if (holder === 'unreadable' || (await isAliveOrWakes(path, found, taker)))
      return { kind: 'held', by: found };
    const claim = `${LOCK_NAME}.${holder.token}`;
    if ((await take(folder, claim, taker)).kind === 'held') {
      await sleep(PAUSE_MS); // another process is taking over: see whether it succeeds
      continue;
    }
    try {
      const now = await readLock(path);
      if (now !== null && now.holder !== 'unreadable' && now.holder.token === holder.token) {
        // A second link, so that the owner can still remove its file; rename replaces the lock in one step.
        const replacement = join(folder, `${claim}.new`);
        await rm(replacement, { force: true });
        await link(taker.file, replacement);
        await rename(replacement, path);
        return { kind: 'taken' };
      }
    } finally {
      await rm(join(folder, claim), { force: true });
    }
  }
  return { kind: 'held', by: seen };
}

/** How FAT and some network file systems refuse a hard link; "not permitted" would mislead. */
function lockReason(error: unknown): string {
  const code = systemErrorCode(error) ?? '';
  const isLink = error instanceof Error && 'syscall' in error && error.syscall === 'link';
  if (isLink && ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) {
    return 'its file system has no hard links, which the lock needs';
  }
  return reasonOf(error);
}

/** Removes temporary files of killed processes. Only the holder of the lock may call it. */
async function sweep(folder: string, taker: Taker): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${LOCK_NAME}.`)) continue;
    const path = join(folder, name);
    try {
      const found = await readLock(path);
      if (found === null) continue;
      const dead =
        found.holder === 'unreadable'
          ? Date.now() - found.beatAtMs > ABANDONED_MS
          : !(await isAlive(found, taker));
      if (dead) await rm(path, { force: true });
    } catch {
      // A leftover file does no harm.
    }
  }
}

async function heldBy(dataDir: string, found: FoundLock, taker: Taker): Promise<Refusal> {
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
  if (isHere(holder, taker)) {
    return {
      code: 'conflict',
      message: `The data folder ${dataDir} is in use by another workbench (process ${holder.pid}). Close that one, or choose another folder with --data.`,
    };
  }
  const where =
    scope?.boot === taker.scope.boot && scope?.boot !== null
      ? `in another container of this computer (${holder.host})`
      : `on the computer ${holder.host}`;
  const leftMs = await leaseLeft(found, taker);
  return {
    code: 'conflict',
    message: `The data folder ${dataDir} is in use by a workbench ${where} (process ${holder.pid}). Close it there, or choose another folder with --data.`,
    hint:
      leftMs === null
        ? `If no workbench is running there any more, delete ${path}.`
        : `If it is not running any more, its lock ends by itself: try again in ${Math.ceil(leftMs / 1_000) + 1} seconds.`,
  };
}

/**
 * Locks a data folder for this process; creates the folder if it is missing. Takes over a lock at once if its process, in
 * this place, has ended or another process now has its id; the lock of another host or PID namespace only once it is stale
 * (`LEASE`). Refuses with `conflict`, naming the holder, or with `unavailable` if the folder cannot be used.
 */
export async function lockDataDir(
  dataDir: string,
  options: DataLockOptions = {},
): Promise<Result<DataLock, Refusal>> {
  const { lease = LEASE } = options;
  const path = join(dataDir, LOCK_NAME);
  const token = randomBytes(16).toString('hex');
  const mine = `${path}.mine-${token}`;
  try {
    const scope = options.scope ?? (await processScope());
    const start = (await processStart(process.pid)) ?? 'unknown';
    const holder: LockHolder = { pid: process.pid, start, ...scope, token };
    const taker: Taker = { scope, lease, file: mine };
    await makeFolder(dataDir);
    let file: FileHandle | null = null;
    try {
      file = await open(mine, 'wx');
      await file.writeFile(`${JSON.stringify(holder)}\n`);
      const attempt = await take(dataDir, LOCK_NAME, taker);
      if (attempt.kind === 'held') {
        const refusal = await heldBy(dataDir, attempt.by, taker);
        await file.close();
        return failed(refusal);
      }
      await sweep(dataDir, taker);
    } catch (error) {
      await file?.close();
      throw error;
    } finally {
      await rm(mine, { force: true });
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
    const stop = beat(file, holder, path, lease.beatMs, lost);
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
function beat(
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
      // A full or vanished disk: whoever writes records there says so. The next beat tries again.
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
