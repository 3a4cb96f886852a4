import { resolve } from 'node:path';

/** A start has a handful of words; who starts us with more gets no file opened by those behind. */
const MAX_ARGUMENTS = 100;
/** Linux's limit of a path. */
const LONGEST_PATH = 4_096;

/**
 * The path of the bundle that a start of the app names: a double click puts it among the words. null: none.
 * `folder`: where it was started, from which relative paths are meant.
 */
export function bundleArgument(words: readonly string[], folder: string): string | null {
  const named = words
    .slice(0, MAX_ARGUMENTS)
    .find((word) => /\.zip$/i.test(word) && !word.startsWith('-') && !word.includes('\0'));
  if (named === undefined || named.length > LONGEST_PATH) return null;
  return resolve(folder, named);
}
