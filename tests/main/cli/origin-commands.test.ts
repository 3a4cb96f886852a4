import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { benchJobHandlers } from '../../support/bench-job-handlers';
import { eventually } from '../../support/eventually';
import { openJobBench } from '../../support/job-bench';
import { typeCommand } from '../../support/typed-command';
import { unwrap } from '../../support/unwrap';

const run = promisify(execFile);

test('jobs origin prints what made a start, and in words what differs from another one', async () => {
  const bench = await openJobBench();
  onTestFinished(bench.dispose);
  const events = new Emitter<WorkbenchEvent>();
  const { jobs } = bench;
  const call = dispatcher(benchJobHandlers(bench, events), (error) => {
    throw error;
  });
  const code = join(bench.folder, 'code');
  await mkdir(code);
  await writeFile(join(code, 'train.py'), 'print(1)\n');
  const git = ['-C', code, '-c', 'user.name=a', '-c', 'user.email=a@b'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-q', '-m', 'one'],
  ]) {
    await run('git', [...git, ...args]);
  }
  const started = async (name: string) => {
    const command = { kind: 'line', line: 'python3 train.py' } as const;
    const job = await unwrap(
      jobs.launch({ machineId: 'local', name, purpose: 'command', command, cwd: code }),
    );
    await eventually('its record', async () => unwrap(jobs.provenance(job.id)));
    return job.id;
  };
  const first = await started('first');
  await writeFile(join(code, 'train.py'), 'print(2)\n');
  const second = await started('second');

  const shown = await typeCommand({ call, events }, 'jobs', 'origin', second);
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/^Code: commit [0-9a-f]{40}/m);
  expect(shown.out).toContain('+print(2)');
  const compared = await typeCommand({ call, events }, 'jobs', 'origin', first, second);
  expect(compared.out).toMatch(
    /^Changes after the same commit: none, and a diff of \d+ bytes\. They differ in train\.py\.\n$/,
  );
});
