import { expect, onTestFinished, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import { jobHasEnded, type WorkbenchEvent } from '../../../preload/contract';
import { benchJobHandlers } from '../../support/bench-job-handlers';
import { eventually } from '../../support/eventually';
import { openJobBench } from '../../support/job-bench';
import { typeCommand } from '../../support/typed-command';
import { unwrap } from '../../support/unwrap';

test('jobs of servers are listed when asked, and removing all that ended keeps them', async () => {
  const bench = await openJobBench();
  onTestFinished(bench.dispose);
  const events = new Emitter<WorkbenchEvent>();
  const { jobs } = bench;
  const call = dispatcher(benchJobHandlers(bench, events), (error) => {
    throw error;
  });
  const type = (...words: string[]) => typeCommand({ call, events }, ...words);
  const command = { kind: 'line', line: 'true' } as const;
  for (const [name, purpose] of [
    ['mine', 'command'],
    ['serving', 'model-server'],
  ] as const) {
    const { id } = await unwrap(jobs.launch({ machineId: 'local', name, purpose, command }));
    await eventually('its end', async () => {
      await jobs.inspect(id);
      return jobHasEnded((await unwrap(jobs.view(id))).state) ? true : null;
    });
  }
  const list = await type('jobs', 'list');
  expect(list.out).toContain('mine');
  expect(list.out).not.toContain('serving');
  expect(list.err).toBe(
    'Jobs of servers and trainings that are not listed: 1. With them: mars2 jobs list --all\n',
  );

  expect((await type('jobs', 'remove', '--ended')).err).toContain('Jobs that have ended: 1.');
  expect((await type('jobs', 'list')).out).toContain('mine');
  expect((await type('jobs', 'remove', '--ended', '--yes')).err).toBe('Jobs removed: 1.\n');
  const left = (await type('jobs', 'list', '--all')).out;
  expect(left).toContain('serving');
  expect(left).not.toContain('mine');
  expect((await type('jobs', 'remove')).code).toBe(2);
});
