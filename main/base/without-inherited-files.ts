/**
 * Replaces itself by the program in its arguments, without the files that Chromium leaves open in processes that
 * Electron starts: a job would hold them as long as it runs, and a caller that waits for their end would wait for the
 * job. `sh` can close only the first ten, bash all; a system without bash hardly has Electron. `-p`: ignores the user's
 * BASH_ENV, which stays set for the program.
 */
const CLOSE_FILES = `
if command -v bash >/dev/null; then
  exec bash -pc 'for fd in /dev/fd/*; do fd=\${fd##*/}; case $fd in [012] | *[!0-9]*) ;; *) eval "exec $fd>&-" ;; esac; done; exec "$@"' bash "$@"
fi
exec "$@"
`;

/** The words that start a program with the standard files alone. */
export function withoutInheritedFiles(command: string, args: readonly string[]): readonly [string, string[]] {
  return ['/bin/sh', ['-c', CLOSE_FILES, 'sh', command, ...args]];
}
