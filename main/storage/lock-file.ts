import { link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LOCK_NAME } from './data-folder';
import { isSameScope, type ProcessScope, processStart } from './process-identity';
import { systemErrorCode } from './system-error';

/** A lock file that is still unreadable after this time was left by a process that was killed while writing it. */
const ABANDONED_MS = 60_000;
/** How long to wait while another process takes over a dead one's lock: attempts x pause. */
const ATTEMPTS = 200;
const PAUSE_MS = 10;

const holderSchema = z.object({
  pid: z.number().int().positive(),
  /** See `processStart`. */
  start: z.string(),
  host: z.string(),
  /** See `ProcessScope`. Left out by versions that kept no lease. */
  boot: z.string().nullable().optional(),
  pidNamespace: z.string().nullable().optional(),
  /** The command of a terminal that holds it, without its options; left out: a window or a service, or not known. */
  command: z.string().max(400).optional(),
  /** Unique to each time that the lock is taken. */
  token: z.string().regex(/^[0-9a-f]{32}$/),
});
export type LockHolder = z.infer<typeof holderSchema>;

export function parseHolder(text: string): LockHolder | null {
  try {
    const parsed = holderSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null; // not JSON
  }
}

/** `heartbeatAtMs`: when the file was last written, by the clock of its file system. */
export type FoundLock = { readonly holder: LockHolder | 'unreadable'; readonly heartbeatAtMs: number };

/** null: no such file. `unreadable`: not one of ours, or damaged. */
export async function readLock(path: string): Promise<FoundLock | null> {
  try {
    // Opening it makes a network file system ask its server for the newest time.
    const file = await open(path, 'r');
    try {
      const { mtimeMs } = await file.stat();
      return { holder: parseHolder(await file.readFile('utf8')) ?? 'unreadable', heartbeatAtMs: mtimeMs };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Who tries to take a lock. */
export type LockRequester = {
  readonly scope: ProcessScope;
  readonly lease: { readonly beatMs: number; readonly staleMs: number };
  /** Its finished lock file, written just now: its time is the present by the file system's own clock. */
  readonly file: string;
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function scopeOf({ host, boot, pidNamespace }: LockHolder): ProcessScope | null {
  return boot === undefined || pidNamespace === undefined ? null : { host, boot, pidNamespace };
}

/** Can the holder's process be looked up from here? Versions without a lease named their host alone. */
export function isInSameScope(holder: LockHolder, { scope }: LockRequester): boolean {
  const other = scopeOf(holder);
  return other === null ? holder.host === scope.host : isSameScope(scope, other);
}

/** Milliseconds until another host may take it over; 0: now. null: never, as its version keeps no lease. */
export async function leaseLeftMs(found: FoundLock, { lease, file }: LockRequester): Promise<number | null> {
  if (found.holder === 'unreadable' || scopeOf(found.holder) === null) return null;
  // Both times are of one clock. A time in the future is one that was set back since: it says as little as an old one.
  const ageMs = Math.abs((await stat(file)).mtimeMs - found.heartbeatAtMs);
  return Math.max(0, lease.staleMs - ageMs);
}

/** In the same place the process is looked up; elsewhere the lease decides. */
async function isAlive(found: FoundLock, requester: LockRequester): Promise<boolean> {
  const { holder } = found;
  if (holder === 'unreadable') return true;
  if (isInSameScope(holder, requester)) return (await processStart(holder.pid)) === holder.start;
  return (await leaseLeftMs(found, requester)) !== 0;
}

/** As `isAlive`, for the lock itself: the clock may have jumped or the computer slept, so a stale one may beat again. */
async function isAliveAfterWait(path: string, found: FoundLock, requester: LockRequester): Promise<boolean> {
  if (await isAlive(found, requester)) return true;
  if (found.holder === 'unreadable' || isInSameScope(found.holder, requester)) return false;
  await sleep(1.5 * requester.lease.beatMs);
  return (await readLock(path))?.heartbeatAtMs !== found.heartbeatAtMs;
}

type Attempt = { readonly kind: 'taken' } | { readonly kind: 'held'; readonly by: FoundLock };

/**
 * Tries to take the lock at `path`. Linking a finished file is atomic and fails if the name exists, so nobody sees a
 * half-written lock. To replace the lock of a dead process, a process first takes a second lock, the claim, with the
 * dead lock's token in its name. Tokens are never reused, so of two competing processes one wins, and the other finds a
 * new token when it reads the lock again. The claim of a process that died is replaced in the same way.
 */
export async function acquireLock(folder: string, name: string, requester: LockRequester): Promise<Attempt> {
  const path = join(folder, name);
  let seen: FoundLock = { holder: 'unreadable', heartbeatAtMs: 0 };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await link(requester.file, path);
      return { kind: 'taken' };
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
    const lock = await readLock(path);
    if (lock === null) continue; // released in between
    seen = lock;
    const { holder } = lock;
    if (holder === 'unreadable' || (await isAliveAfterWait(path, lock, requester)))
      return { kind: 'held', by: lock };
    const claim = `${LOCK_NAME}.${holder.token}`;
    if ((await acquireLock(folder, claim, requester)).kind === 'held') {
      await sleep(PAUSE_MS); // another process is taking over: see whether it succeeds
      continue;
    }
    try {
      const now = await readLock(path);
      if (now !== null && now.holder !== 'unreadable' && now.holder.token === holder.token) {
        // A second link, so that the owner can still remove its file; rename replaces the lock in one step.
        const replacement = join(folder, `${claim}.new`);
        await rm(replacement, { force: true });
        await link(requester.file, replacement);
        await rename(replacement, path);
        return { kind: 'taken' };
      }
    } finally {
      await rm(join(folder, claim), { force: true });
    }
  }
  return { kind: 'held', by: seen };
}

/** Removes temporary files of killed processes. Only the holder of the lock may call it. */
export async function removeTemporaryFiles(folder: string, requester: LockRequester): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${LOCK_NAME}.`)) continue;
    const path = join(folder, name);
    try {
      const lock = await readLock(path);
      if (lock === null) continue;
      const dead =
        lock.holder === 'unreadable'
          ? Date.now() - lock.heartbeatAtMs > ABANDONED_MS
          : !(await isAlive(lock, requester));
      if (dead) await rm(path, { force: true });
    } catch {
      // A leftover file does no harm.
    }
  }
}
