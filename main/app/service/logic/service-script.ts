import { LOGIN_PATH_LINES, shellWord, shellWords } from '../../../base/index';

/** Runs a program on a machine where it finds Python and tools as the user's shell does: the service starts jobs, and grades. */
export const programScript = (words: readonly string[]): string =>
  `${LOGIN_PATH_LINES}\n${shellWords(words)}`;

/**
 * Removes the folders in a folder that were not changed for more than this many days; does nothing where there is no
 * such folder.
 */
export const pruneScript = (folder: string, days: number): string =>
  `cd ${shellWord(folder)} 2>/dev/null || exit 0
find . -mindepth 1 -maxdepth 1 -type d -mtime +${days} -exec rm -rf {} + 2>/dev/null
exit 0`;
