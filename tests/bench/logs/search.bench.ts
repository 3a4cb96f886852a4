// Run: npx vitest run --config tests/bench/logs/bench.config.ts
// Searching a log on its machine, against one plain grep over the same file in the same run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasEnded } from '../../../main/jobs';
import { eventually } from '../../support/eventually';
import { openJobBench } from '../../support/job-bench';
import { unwrap } from '../../support/unwrap';

const MEGABYTES = 1_000;
const ROUNDS = 3;
const WANTED = 'THE ONLY LINE';

test('searching a log of 1 GB to its end', async () => {
  const bench = await openJobBench();
  try {
    const flood = join(import.meta.dirname, 'flood.mjs');
    const line = `"${process.execPath}" "${flood}" ${MEGABYTES} 0; echo; echo the only line`;
    const { id } = await unwrap(
      bench.jobs.launch({
        machineId: 'local',
        name: 'flood',
        purpose: 'command',
        command: { kind: 'line', line },
      }),
    );
    await eventually(
      'its end',
      async () => hasEnded((await unwrap(bench.jobs.inspect(id))).view.state),
      120_000,
    );
    const path = join(bench.folder, 'jobs', id, 'output.log');
    const never = new AbortController().signal;
    const lines: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      let startMs = performance.now();
      execFileSync('grep', ['-aibnF', '-e', WANTED, path], { env: { ...process.env, LC_ALL: 'C' } });
      const plainMs = performance.now() - startMs;
      startMs = performance.now();
      const query = { text: WANTED, offset: 0, limit: 10 };
      const found = await unwrap(bench.jobs.searchLog(id, 'output', query, () => undefined, never));
      const oursMs = performance.now() - startMs;
      expect(found.matches.map(({ text }) => text)).toEqual(['the only line']);
      lines.push(
        `grep ${(MEGABYTES / plainMs).toFixed(2)} GB/s, ours ${(MEGABYTES / oursMs).toFixed(2)} GB/s = ${(plainMs / oursMs).toFixed(2)} of it`,
      );
    }
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    await bench.dispose();
  }
});
