// A lock, because two terminals that build or install at once would overwrite each other's files.
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** On a shared home folder the owner may be on another host, where we cannot ask whether it lives. */
const foreignLockMaxAgeMs = 30 * 60_000;
const pollMs = 200;

export async function withLock(path, work, onWait = () => {}) {
  await mkdir(dirname(path), { recursive: true });
  for (let waited = false; !(await tryTake(path)); waited = true) {
    if (!waited) onWait();
    if (await isAbandoned(path)) await rm(path, { force: true });
    else await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function tryTake(path) {
  try {
    const file = await open(path, 'wx');
    await file.writeFile(`${hostname()} ${process.pid}\n`);
    await file.close();
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(path) {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    return ownerIsGone(text, Date.now() - mtimeMs, hostname(), isAlive);
  } catch {
    return false; // released just now
  }
}

/** `text` is "host pid"; empty for the moment between creating and writing it. */
export function ownerIsGone(text, ageMs, ownHost, alive) {
  const [host, pid] = text.trim().split(' ');
  if (!pid) return ageMs > 5_000;
  if (host !== ownHost) return ageMs > foreignLockMaxAgeMs;
  return !alive(Number(pid));
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
