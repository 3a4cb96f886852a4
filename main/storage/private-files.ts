import { constants } from 'node:fs';
import { lstat, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What no other user may do: anything. */
const OTHERS = 0o077;

/** The mask is one for the whole process, and so is what it was before. */
let umaskBefore: number | null = null;

/**
 * Makes every file private that this process and its children create from now on. For the start of a program that writes
 * into a data folder: keys, prompts, private tests and logs lie there.
 */
export function keepFilesPrivate(): void {
  if (process.platform !== 'win32') umaskBefore ??= process.umask(OTHERS);
}

/**
 * The mask that the user has set, for what is the user's own: exports that are saved elsewhere, and programs that run
 * for the user.
 */
export function userUmask(): number {
  return umaskBefore ?? process.umask();
}

/** The same as a line of shell. */
export function userUmaskLine(): string {
  return `umask ${userUmask().toString(8).padStart(4, '0')}`;
}

/**
 * Makes a folder private if others can enter it, with everything in it: this user's files and folders alone, without
 * following links. `changed`: how many were open to others; `left`: how many could not be changed. The folder itself comes
 * last, so that what was interrupted is done again. Rejects with the system's error where the folder cannot be read.
 */
export async function makePrivate(folder: string): Promise<{ changed: number; left: number }> {
  const count = { changed: 0, left: 0 };
  if (process.platform === 'win32' || ((await stat(folder)).mode & OTHERS) === 0) return count;
  const folders = [folder];
  for (let inside = folders.pop(); inside !== undefined; inside = folders.pop()) {
    for (const entry of await readdir(inside, { withFileTypes: true }).catch(() => [])) {
      const path = join(inside, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (entry.isDirectory() || entry.isFile()) await removeOthersAccess(path, constants.O_NOFOLLOW, count);
    }
  }
  await removeOthersAccess(folder, 0, count);
  return count;
}

async function removeOthersAccess(
  path: string,
  flags: number,
  count: { changed: number; left: number },
): Promise<void> {
  try {
    const stats = flags === 0 ? await stat(path) : await lstat(path);
    if ((stats.mode & OTHERS) === 0 || stats.uid !== process.getuid?.()) return;
    // By its handle, since another user may have put something else under its name meanwhile.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
    try {
      const { uid, mode } = await handle.stat();
      if (uid !== process.getuid?.()) return;
      await handle.chmod(mode & 0o7777 & ~OTHERS);
      count.changed += 1;
    } finally {
      await handle.close();
    }
  } catch {
    count.left += 1;
  }
}
