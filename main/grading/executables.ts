import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Paths of the programs of this name, the system's own first, then in the order of the search path. */
export async function executablesNamed(name: string): Promise<string[]> {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)].filter(
    (folder) => folder !== '',
  );
  const paths = [...new Set(folders)].map((folder) => join(folder, name));
  const executable = await Promise.all(paths.map(isExecutable));
  return paths.filter((_, i) => executable[i]);
}

export function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** The output of a short command; null when it fails or takes longer than so many milliseconds. */
export function outputOf(command: string, args: readonly string[], timeout = 10_000): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout }, (error, stdout) => resolve(error === null ? stdout : null));
  });
}
