import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createKeyedQueue } from '../../../main/base';
import { runForAll } from '../../../main/jobs/concurrency';
import { LOCAL_MACHINE } from '../../../preload/contract';
import { openJobBench } from '../../support/job-bench';

test('many jobs start where nothing starts them together, and each refusal is its own', async () => {
  const bench = await openJobBench();
  onTestFinished(bench.dispose);
  const order = (line: string, cwd: string | null = null) => ({
    machineId: LOCAL_MACHINE,
    name: line,
    purpose: 'command',
    command: { kind: 'line' as const, line },
    cwd,
  });
  const launched = await bench.jobs.launchMany([
    order('exit 0'),
    order('exit 1', '/no/such folder'),
    order('exit 2'),
  ]);
  expect(launched.map((one) => (one.ok ? 'launched' : one.error.code))).toEqual([
    'launched',
    'bad-input',
    'launched',
  ]);
  expect(bench.jobs.views().map(({ name }) => name)).toEqual(['exit 0', 'exit 2']);
  expect(await bench.jobs.launchMany([])).toEqual([]);
});

test('work for several keys runs alone for all of them, also if two calls name the same keys in different orders', async () => {
  const queue = createKeyedQueue();
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await sleep(5);
    events.push(`${name} ends`);
    return name;
  };
  const ends = await Promise.all([
    queue.run('a', work('one')),
    runForAll(queue, ['a', 'b'], work('two')),
    runForAll(queue, ['b', 'a'], work('three')),
    queue.run('b', work('four')),
  ]);
  expect(ends).toEqual(['one', 'two', 'three', 'four']);
  expect(events).toEqual(
    ['one', 'two', 'three', 'four'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(await runForAll(queue, [], work('none'))).toBe('none');
  await expect(runForAll(queue, ['a', 'b'], () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
  expect(await queue.run('a', async () => 'on')).toBe('on');
});
