import { expect, test } from 'vitest';
import { Slots } from '../../../main/grading/slots';

const signal = new AbortController().signal;

/** The order in which these tasks start in one slot; capitals are patient. */
async function orderOf(names: string): Promise<string> {
  const slots = new Slots(1);
  const order: string[] = [];
  const tasks = [...names].map((name) =>
    slots.run(async () => void order.push(name), signal, name !== name.toLowerCase()),
  );
  await Promise.all(tasks);
  return order.join('');
}

test('tasks start in the order of arrival', async () => {
  expect(await orderOf('abcd')).toBe('abcd');
  expect(await orderOf('ABCD')).toBe('ABCD');
});

test('patient tasks and the others take turns, whichever came first', async () => {
  expect(await orderOf('xABCDab')).toBe('xAaBbCD');
  expect(await orderOf('xabcdAB')).toBe('xAaBbcd');
});

test('a task that is cancelled while it waits never starts', async () => {
  const slots = new Slots(1);
  const [leaving, order] = [new AbortController(), [] as string[]];
  const first = slots.run(async () => new Promise<void>((done) => setImmediate(done)), signal);
  const second = slots.run(async () => void order.push('patient'), leaving.signal, true);
  const third = slots.run(async () => void order.push('third'), signal);
  leaving.abort();
  expect(await second).toBeNull();
  expect(slots.queued).toBe(1);
  await Promise.all([first, third]);
  expect([order, slots.queued, slots.running]).toEqual([['third'], 0, 0]);
});
