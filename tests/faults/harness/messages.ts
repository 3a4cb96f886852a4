import type { Ended } from './mars2';

/** What no user should read. */
const INSIDES = /^\s+at \S|undefined|\[object |null is not|TypeError|ReferenceError|Unhandled/m;

/**
 * What is wrong with how a command that could not do its work ended: with a message that has these parts, no insides of the
 * program and a failure's exit code. null: nothing.
 */
export function messageProblem(ended: Ended, parts: readonly RegExp[] = []): string | null {
  const shown = `"${ended.err.trim().slice(-1_500)}"`;
  if (ended.hung) return `it hung, after saying ${shown}`;
  if (ended.code === 0) return `it ended with code 0, saying ${shown}`;
  if (ended.code === null) return `it was ended by a signal, saying ${shown}`;
  if (ended.err.trim().length < 20) return `it ended with code ${ended.code} and said only ${shown}`;
  if (INSIDES.test(ended.err)) return `it shows its insides: ${shown}`;
  const missing = parts.find((part) => !part.test(ended.err));
  return missing === undefined ? null : `${missing} is not in ${shown}`;
}
