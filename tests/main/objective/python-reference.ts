import { spawnSync } from 'node:child_process';

/**
 * What `work(case)` of a Python program gives for each case: formulas written down a second time, straight from their
 * source and in another language, by Python's standard library alone.
 */
export function byPython<Answer>(program: string, cases: readonly unknown[]): Answer[] {
  const frame = `import json, math, statistics, sys\n${program}\nprint(json.dumps([work(case) for case in json.load(sys.stdin)]))`;
  const done = spawnSync('python3', ['-I', '-S', '-c', frame], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (done.status !== 0) throw new Error(done.stderr || String(done.error));
  return JSON.parse(done.stdout) as Answer[];
}
