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

/** The rows of a CSV file as Python's reader sees them. */
export function rowsOfCsv(csv: string): Record<string, string>[] {
  const read = 'print(json.dumps(list(csv.DictReader(io.StringIO(json.load(sys.stdin))))))';
  return byPython<Record<string, string>[]>(['import csv, io, json, sys', read], csv) ?? [];
}
