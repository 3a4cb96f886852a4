import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from './system-error';

/**
 * Makes a folder and what leads to it; one that is there is fine. Rejects with the system's error. Node's own
 * recursive `mkdir` never ends where a file system answers ENOENT for a folder whose parent is there (/proc).
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}
