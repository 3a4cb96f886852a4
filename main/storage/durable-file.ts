import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { userUmask } from './private-files';
import { systemErrorCode } from './system-error';

const [PRIVATE_FILE, PRIVATE_FOLDER] = [0o600, 0o700];

/** Makes a new or renamed entry of a folder survive a power cut, if the system can. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its file systems keep renames by themselves.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a file atomically: at any moment, even after a power cut, the path holds the old content or the new one.
 * lowdb's own adapter renames without a sync first, which on some file systems can leave an empty file behind. One
 * writer at a time per path. If it fails, it throws the system's error and leaves the old file unchanged. The file is for
 * this user only, unless `mode` says otherwise.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  mode = PRIVATE_FILE,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  try {
    const handle = await open(temporary, 'w', PRIVATE_FILE);
    try {
      if (mode !== PRIVATE_FILE) await handle.chmod(mode);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined); // the first cause is the one to report
    throw error;
  }
  await syncFolder(dirname(path));
}

/** As replaceFile, for a file that the user saves outside of a data folder: others may read it as the user's own files. */
export function replaceUserFile(path: string, content: string | Uint8Array): Promise<void> {
  return replaceFile(path, content, userFileMode());
}

/** The mode of a file that the user's other programs create. */
export function userFileMode(): number {
  return 0o666 & ~userUmask();
}

/** As replaceFile, for a file that several processes may write at once: each writes its own copy, the last one stays. */
export async function replaceSharedFile(path: string, content: string): Promise<void> {
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await replaceFile(own, content);
    await rename(own, path);
  } catch (error) {
    await rm(own, { force: true }).catch(() => undefined); // the first cause is the one to report
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * Creates a folder and its parents where they are missing. Rejects with the system's error. Node's own recursive
 * `mkdir` never ends if a file system answers ENOENT although the parent exists (/proc). For this user only, unless
 * `mode` says otherwise.
 */
export async function makeFolder(path: string, mode = PRIVATE_FOLDER): Promise<void> {
  const make = async (): Promise<void> => {
    await mkdir(path, PRIVATE_FOLDER);
    if (mode !== PRIVATE_FOLDER) await chmod(path, mode);
  };
  try {
    await make();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await make();
  }
}

/** As makeFolder, for a folder that the user wants outside of a data folder. */
export function makeUserFolder(path: string): Promise<void> {
  return makeFolder(path, 0o777 & ~userUmask());
}
