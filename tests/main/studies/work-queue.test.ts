import { expect, test } from 'vitest';
import { WorkQueue } from '../../../main/studies/work-queue';

const never = { aborted: false };
const tick = () => new Promise<void>((done) => setImmediate(done));

test('at most `width` tasks run at once, and all get done', async () => {
  let now = 0;
  let most = 0;
  const done: number[] = [];
  const queue = new WorkQueue(3, never, async (task) => {
    now += 1;
    most = Math.max(most, now);
    await tick();
    now -= 1;
    done.push(task);
  });
  for (let task = 0; task < 20; task++) queue.add(task);
  await queue.drain();
  expect(most).toBe(3);
  expect(done.sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
});

test('the waiting task with the smallest number goes first, whenever it was added', async () => {
  const order: number[] = [];
  const queue = new WorkQueue(1, never, async (task) => {
    order.push(task);
    await tick();
  });
  for (const task of [9, 5, 7, 1]) queue.add(task);
  await queue.drain();
  expect(order).toEqual([9, 1, 5, 7]);
});

test('it drains at once when nothing was added', async () => {
  await new WorkQueue(2, never, async () => undefined).drain();
});

test('a stop lets the active tasks end and starts no other', async () => {
  const stop = { aborted: false };
  let started = 0;
  const queue = new WorkQueue(2, stop, async () => {
    started += 1;
    if (started === 4) stop.aborted = true;
    await tick();
  });
  for (let task = 0; task < 20; task++) queue.add(task);
  await queue.drain();
  expect(started).toBe(4);
});
