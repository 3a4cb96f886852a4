import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Refusal } from '../../preload/contract';
import { type Disposable, failed, ok, type Result } from '../base';
import { makeFolder } from './durable-file';
import { processStart } from './process-identity';
import { reasonOf, systemErrorCode } from './system-error';

const LOCK_NAME = 'workbench.lock';
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
  /** Unique to each time that the lock is taken. */
  token: z.string().regex(/^[0-9a-f]{32}$/),
});
export type LockHolder = z.infer<typeof holderSchema>;

/** Exclusive use of a data folder, until it is disposed or the process ends. */
export type DataLock = Disposable & { readonly holder: LockHolder };

function parseHolder(text: string): LockHolder | null {
  try {
    const parsed = holderSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** null: no such file. `unreadable`: not one of ours, or damaged. */
async function readHolder(path: string): Promise<LockHolder | 'unreadable' | null> {
  try {
    return parseHolder(await readFile(path, 'utf8')) ?? 'unreadable';
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A process of another computer cannot be checked, so it counts as alive. */
async function isAlive(holder: LockHolder): Promise<boolean> {
  return holder.host !== hostname() || (await processStart(holder.pid)) === holder.start;
}

type Attempt = { readonly kind: 'taken' } | { readonly kind: 'held'; readonly by: LockHolder | 'unreadable' };

/**
 * Tries to take the lock at `path`. Linking a finished file is atomic and fails if the name exists, so nobody sees a
 * half-written lock. To replace the lock of a dead process, a process first takes a second lock, the claim, with the
 * dead lock's token in its name. Tokens are never reused, so of two competing processes one wins, and the other finds a
 * new token when it reads the lock again. The claim of a process that died is replaced in the same way.
 */
async function take(folder: string, name: string, mine: string): Promise<Attempt> {
  const path = join(folder, name);
  const sleep = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  let seen: LockHolder | 'unreadable' = 'unreadable';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      await link(mine, path);
      return { kind: 'taken' };
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
    const holder = await readHolder(path);
    if (holder === null) continue; // released in between
    seen = holder;
    if (holder === 'unreadable' || (await isAlive(holder))) return { kind: 'held', by: holder };
    const claim = `${LOCK_NAME}.${holder.token}`;
    if ((await take(folder, claim, mine)).kind === 'held') {
      await sleep(); // another process is taking over: see whether it succeeds
      continue;
    }
    try {
      const now = await readHolder(path);
      if (now !== null && now !== 'unreadable' && now.token === holder.token) {
        // A second link, so that the owner can still remove `mine`; rename replaces the lock in one step.
        const replacement = join(folder, `${claim}.new`);
        await rm(replacement, { force: true });
        await link(mine, replacement);
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
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${LOCK_NAME}.`)) continue;
    const path = join(folder, name);
    try {
      const holder = await readHolder(path);
      if (holder === null) continue;
      const dead =
        holder === 'unreadable'
          ? Date.now() - (await stat(path)).mtimeMs > ABANDONED_MS
          : !(await isAlive(holder));
      if (dead) await rm(path, { force: true });
    } catch {
      // A leftover file does no harm.
    }
  }
}

function heldBy(dataDir: string, by: LockHolder | 'unreadable'): Refusal {
  const path = join(dataDir, LOCK_NAME);
  if (by === 'unreadable') {
    return {
      code: 'conflict',
      message: `The data folder ${dataDir} may be in use: its lock file ${path} is damaged or not a lock file of the workbench.`,
      hint: `If no workbench is running on this folder, delete ${path}.`,
    };
  }
  if (by.host !== hostname()) {
    return {
      code: 'conflict',
      message: `The data folder ${dataDir} is in use by a workbench on the computer ${by.host} (process ${by.pid}). Close it there, or choose another folder with --data.`,
      hint: `If no workbench is running there any more, delete ${path}.`,
    };
  }
  return {
    code: 'conflict',
    message: `The data folder ${dataDir} is in use by another workbench (process ${by.pid}). Close that one, or choose another folder with --data.`,
  };
}

/**
 * Locks a data folder for this process; creates the folder if it is missing. Takes over a lock if its process has ended
 * or another process now has its id. Refuses with `conflict`, naming the holder, or with `unavailable` if the folder
 * cannot be used.
 */
export async function lockDataDir(dataDir: string): Promise<Result<DataLock, Refusal>> {
  const path = join(dataDir, LOCK_NAME);
  const token = randomBytes(16).toString('hex');
  const mine = `${path}.mine-${token}`;
  try {
    const start = (await processStart(process.pid)) ?? 'unknown';
    const holder: LockHolder = { pid: process.pid, start, host: hostname(), token };
    await makeFolder(dataDir);
    try {
      await writeFile(mine, `${JSON.stringify(holder)}\n`, { flag: 'wx' });
      const attempt = await take(dataDir, LOCK_NAME, mine);
      if (attempt.kind === 'held') return failed(heldBy(dataDir, attempt.by));
    } finally {
      await rm(mine, { force: true });
    }
    await sweep(dataDir);
    return ok({ holder, dispose: () => release(path, token) });
  } catch (error) {
    return failed({
      code: 'unavailable',
      message: `The data folder ${dataDir} cannot be used: ${lockReason(error)}. Choose another folder with --data.`,
    });
  }
}

/** Releases the lock if it is still ours; safe to call twice. */
function release(path: string, token: string): void {
  try {
    if (parseHolder(readFileSync(path, 'utf8'))?.token === token) rmSync(path, { force: true });
  } catch {
    // A folder that is gone needs no lock; a lock left behind is taken over as that of a dead process.
  }
}
