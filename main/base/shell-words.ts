/** One word for a POSIX shell, whatever is in it but NUL. What needs no quotes gets none: commands stay readable. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command and its arguments in one line, which a POSIX shell splits into the same words. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** A path for a POSIX shell; a leading "~/" still means the home folder. */
export function shellPath(path: string): string {
  if (path === '~') return '"$HOME"';
  return path.startsWith('~/') ? `"$HOME"/${shellWord(path.slice(2))}` : shellWord(path);
}
