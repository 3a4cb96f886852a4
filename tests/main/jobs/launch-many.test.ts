import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createKeyedMutex, runExclusiveForAll } from '../../../main/jobs/keyed-mutex';
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

test('work in the turns of many has all of them to itself, also when two ask for the same in another order', async () => {
  const turn = createKeyedMutex();
  const told: string[] = [];
  const work = (name: string) => async () => {
    told.push(`${name} begins`);
    await sleep(5);
    told.push(`${name} ends`);
    return name;
  };
  const ends = await Promise.all([
    turn('a', work('one')),
    runExclusiveForAll(turn, ['a', 'b'], work('two')),
    runExclusiveForAll(turn, ['b', 'a'], work('three')),
    turn('b', work('four')),
  ]);
  expect(ends).toEqual(['one', 'two', 'three', 'four']);
  expect(told).toEqual(['one', 'two', 'three', 'four'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(await runExclusiveForAll(turn, [], work('none'))).toBe('none');
  await expect(runExclusiveForAll(turn, ['a', 'b'], () => Promise.reject(new Error('bad')))).rejects.toThrow(
    'bad',
  );
  expect(await turn('a', async () => 'on')).toBe('on');
});
