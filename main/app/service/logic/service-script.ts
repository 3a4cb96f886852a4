import { LOGIN_PATH_LINES, shellWords } from '../../../base/index';

/** Runs a program on a machine where it finds Python and tools as the user's shell does: the service starts jobs, and grades. */
export const programScript = (words: readonly string[]): string =>
  `${LOGIN_PATH_LINES}\n${shellWords(words)}`;
