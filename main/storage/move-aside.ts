import { link, readdir, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { systemErrorCode } from './system-error';

/** Moves a damaged file to the first free `<name>.damaged-<n>.json` beside it; never overwrites a file. */
export async function moveAside(path: string): Promise<string> {
  for (let n = 1; ; n++) {
    const copy = `${prefixOf(path)}${n}${parse(path).ext}`;
    try {
      await link(path, copy);
      await rm(path);
      return copy;
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** The files to which `path` was moved aside, for as long as nobody removes them. */
export async function movedAside(path: string): Promise<readonly string[]> {
  const { dir } = parse(path);
  const names = await readdir(dir).catch(() => []);
  return names.map((name) => join(dir, name)).filter((file) => file.startsWith(prefixOf(path)));
}

function prefixOf(path: string): string {
  const { dir, name } = parse(path);
  return join(dir, `${name}.damaged-`);
}
