/**
 * Quotes one word for a POSIX shell; it may contain anything except NUL. Words that need no quotes get none, so that
 * commands stay readable.
 */
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

/** Lines for a POSIX shell that set variables. What is no name of a variable is left out: the shell would run it. */
export function exportLines(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value]) => `export ${name}=${shellWord(value)}`);
}

/**
 * How a script gets to the shell that runs it. Every user of a machine can read the arguments of a process, but only its
 * own user its environment. So the script, which may hold marks and secrets, goes there, and the arguments are the same
 * for every script. It is taken out of the environment before it runs: no program of the script inherits it.
 */
export const SCRIPT_VARIABLE = 'MARS2_SCRIPT';
export const SCRIPT_ARGUMENTS: readonly string[] = [
  '-c',
  `eval "unset ${SCRIPT_VARIABLE}; $${SCRIPT_VARIABLE}"`,
];

/** A command that runs the script in this shell (words of the script that calls it), with `args` as its arguments. */
export function scriptCommand(shell: string, script: string, args: readonly string[] = []): string {
  return `${SCRIPT_VARIABLE}=${shellWord(script)} ${shell} ${shellWords([...SCRIPT_ARGUMENTS, ...args])}`;
}
