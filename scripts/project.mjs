// Paths of the project. Every script finds the project from its own location, so that it can be called from any folder.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

export const inProject = (...parts) => join(projectRoot, ...parts);

export const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

/** What is kept between runs and outside the repository; the XDG rules say that a relative path is to be ignored. */
export function cacheRoot(env = process.env) {
  const xdg = env.XDG_CACHE_HOME;
  const base = xdg && isAbsolute(xdg) ? xdg : join(homedir(), '.cache');
  return join(base, 'mars2-workbench');
}

/** An ordinary user's PATH on Debian lacks the sbin folders, where some programs that we look for may be. */
export function findProgram(name, env = process.env) {
  const folders = [
    ...(env.PATH ?? '').split(delimiter),
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
    '/usr/sbin',
    '/sbin',
  ];
  return folders
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/**
 * Where the user stands: npm runs its scripts in the project's folder, and relative paths are meant from here.
 * INIT_CWD is inherited by what a script starts, so it only counts for the script that npm itself runs.
 */
export const userFolder = (scriptName, env = process.env) =>
  env.npm_lifecycle_event === scriptName && env.INIT_CWD ? env.INIT_CWD : process.cwd();

export const isRoot = () => process.getuid?.() === 0;
