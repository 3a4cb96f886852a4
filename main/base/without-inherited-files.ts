/**
 * Becomes its arguments, without the files that Chromium leaves open in what Electron starts: a job would hold them for as
 * long as it runs, and whoever waits for their end would wait for the job. `sh` can close the first ten alone, bash all;
 * where there is no bash, there is hardly an Electron. `-p`: without the user's BASH_ENV, which is kept for the program.
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
