import { expect, test } from 'vitest';
import { PrioritySemaphore } from '../../../main/studies/priority-semaphore';

const signal = new AbortController().signal;
const tick = () => new Promise<void>((done) => setImmediate(done));

async function entered(gate: PrioritySemaphore, rank = 0): Promise<() => void> {
  const leave = await gate.acquire(() => rank, signal);
  if (leave === null) throw new Error('Not let in');
  return leave;
}

test('no more than the limit are in, and who leaves lets the next in', async () => {
  const gate = new PrioritySemaphore(2);
  const [first] = [await entered(gate), await entered(gate)];
  let third: (() => void) | null = null;
  void entered(gate).then((leave) => {
    third = leave;
  });
  await tick();
  expect([gate.inFlight, gate.waiting, third]).toEqual([2, 1, null]);
  first();
  await tick();
  expect([gate.inFlight, gate.waiting]).toEqual([2, 0]);
  expect(third).not.toBeNull();
});

test('the smallest rank of the moment goes first, the earlier of equals', async () => {
  const gate = new PrioritySemaphore(1);
  const leave = await entered(gate);
  const ranks = { a: 3, b: 5, c: 3 };
  const order: string[] = [];
  for (const name of ['a', 'b', 'c'] as const) {
    void gate
      .acquire(() => ranks[name], signal)
      .then((next) => {
        order.push(name);
        next?.();
      });
  }
  ranks.b = 1;
  leave();
  await tick();
  expect(order).toEqual(['b', 'a', 'c']);
  expect(gate.inFlight).toBe(0);
});

test('who gives up leaves the line, and an aborted signal is not let in', async () => {
  const gate = new PrioritySemaphore(1);
  const leave = await entered(gate);
  const giveUp = new AbortController();
  const waiting = gate.acquire(() => 0, giveUp.signal);
  giveUp.abort();
  expect(await waiting).toBeNull();
  expect(await gate.acquire(() => 0, giveUp.signal)).toBeNull();
  leave();
  expect([gate.inFlight, gate.waiting]).toEqual([0, 0]);
});

test('every released slot is reported', async () => {
  let calls = 0;
  const gate = new PrioritySemaphore(2, () => {
    calls += 1;
  });
  (await entered(gate))();
  (await entered(gate))();
  expect(calls).toBe(2);
});

test('a larger limit admits who waits, and with a smaller one nobody follows until enough have left', async () => {
  const gate = new PrioritySemaphore(1);
  const leave = [await entered(gate)];
  const waiting = [entered(gate), entered(gate), entered(gate)];
  gate.limit = 3;
  leave.push(...(await Promise.all(waiting.slice(0, 2))));
  expect([gate.inFlight, gate.waiting]).toEqual([3, 1]);
  gate.limit = 1;
  leave[0]?.();
  leave[1]?.();
  await tick();
  expect([gate.inFlight, gate.waiting]).toEqual([1, 1]);
  leave[2]?.();
  await waiting[2];
  expect([gate.inFlight, gate.waiting]).toEqual([1, 0]);
});
