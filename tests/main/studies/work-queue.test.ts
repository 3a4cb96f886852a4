import { expect, test } from 'vitest';
import { workThrough } from '../../../main/studies/work-queue';

const never = { aborted: false };
const tick = () => new Promise<void>((done) => setImmediate(done));

test('no more tasks than the width are under way, and all are done', async () => {
  let now = 0;
  let most = 0;
  const done: number[] = [];
  const failure = await workThrough([...Array(20).keys()], 3, never, async (task) => {
    now += 1;
    most = Math.max(most, now);
    await tick();
    now -= 1;
    done.push(task);
    return null;
  });
  expect(failure).toBeNull();
  expect(most).toBe(3);
  expect(done.sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
});

test('the first failure is kept and no new task starts after it', async () => {
  const started: number[] = [];
  const failure = await workThrough([...Array(20).keys()], 2, never, async (task) => {
    started.push(task);
    await tick();
    return task >= 3 ? `failed at ${task}` : null;
  });
  expect(failure).toBe('failed at 3');
  expect(Math.max(...started)).toBeLessThanOrEqual(5);
});

test('a stop lets the tasks under way end and starts no other', async () => {
  const stop = { aborted: false };
  let started = 0;
  await workThrough([...Array(20).keys()], 2, stop, async () => {
    started += 1;
    if (started === 4) stop.aborted = true;
    await tick();
    return null;
  });
  expect(started).toBe(4);
});
