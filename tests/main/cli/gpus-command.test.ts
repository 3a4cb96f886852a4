import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import type { WorkbenchEvent } from '../../../preload/contract';
import { benchJobHandlers } from '../../support/bench-job-handlers';
import { eventually } from '../../support/eventually';
import { openJobBench } from '../../support/job-bench';
import { typeCommand } from '../../support/typed-command';
import { unwrap } from '../../support/unwrap';

test('jobs gpus prints what the GPUs of a job did, and jobs list and show which are idle', async () => {
  const bench = await openJobBench();
  onTestFinished(bench.dispose);
  const events = new Emitter<WorkbenchEvent>();
  const { jobs } = bench;
  const call = dispatcher(benchJobHandlers(bench, events), (error) => {
    throw error;
  });
  const type = (...words: string[]) => typeCommand({ call, events }, ...words);
  const line = 'echo "$(date +%s) 1:0.0:600" >attempt-1/gpu-use.txt; sleep 100';
  const command = { kind: 'line', line } as const;
  const { id } = await unwrap(jobs.launch({ machineId: 'local', name: 'a', purpose: 'command', command }));
  for (const form of [[], ['--csv'], ['--json']]) {
    const none = await type('jobs', 'gpus', id, ...form);
    expect([none.code, none.err]).toEqual([1, 'No samples: the job asked for no GPUs.\n']);
  }
  await writeFile(
    join(bench.folder, 'jobs', id, 'gpu.csv'),
    '1764309000,1,100,1024,81920,300.5,60\n1764309010,1,0,40960,81920,,61\n',
  );
  const table = await type('jobs', 'gpus', id);
  expect(
    table.out
      .split('\n')[2]
      ?.trim()
      .split(/\s{2,}/),
  ).toEqual(['1', '50 %', '0 %', '40.0 of 80.0 GiB', '301 W', '61 °C']);
  const csv = await type('jobs', 'gpus', id, '--csv');
  expect(csv.out.split('\n').slice(1, 3)).toEqual([
    '2025-11-28T05:50:00.000Z,1,100,1024,81920,300.5,60',
    '2025-11-28T05:50:10.000Z,1,0,40960,81920,,61',
  ]);
  await eventually('the alarm', async () => {
    await jobs.inspect(id);
    return (await unwrap(jobs.view(id))).idleGpus ?? null;
  });
  expect((await type('jobs', 'list')).out).toContain('running, GPU 1 idle');
  expect((await type('jobs', 'show', id)).out).toContain('Alarm: GPU 1 was idle for 10 minutes');
});
