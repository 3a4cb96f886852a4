import { spawnSync } from 'node:child_process';

/** What a few lines of Python, which read JSON from stdin, print as JSON; null where there is no Python. */
export function byPython<T>(program: readonly string[], input: unknown): T | null {
  const { status, stdout, stderr, error } = spawnSync('python3', ['-c', program.join('\n')], {
    input: JSON.stringify(input),
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return null;
  if (status !== 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString()) as T;
}
