import { expect, test } from 'vitest';
import { createTickLoop } from '../../../main/reconcile/reconciler';

/** Ticks that end when the test ends them. */
function heldTicks() {
  const ends: ((error?: Error) => void)[] = [];
  const loop = createTickLoop(
    () =>
      new Promise<void>((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
  );
  const begun = async (): Promise<number> => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
    return ends.length;
  };
  return { loop, begun, end: (at: number, error?: Error) => ends[at]?.(error) };
}

test('callers during a tick share the next one, and no two ticks overlap', async () => {
  const { loop, begun, end } = heldTicks();
  const first = loop.next();
  expect(await begun()).toBe(1);
  const second = loop.next();
  expect(loop.next()).toBe(second);
  expect(await begun()).toBe(1);
  end(0);
  await first;
  expect(await begun()).toBe(2);
  end(1);
  await second;
});

test('a tick that fails rejects for those who await it, and the next one begins all the same', async () => {
  const { loop, begun, end } = heldTicks();
  const first = loop.next();
  await begun();
  const second = loop.next();
  end(0, new Error('no disk'));
  await expect(first).rejects.toThrow('no disk');
  expect(await begun()).toBe(2);
  end(1);
  await second;
});

test('work between ticks waits for the one that runs, and the next waits for it', async () => {
  const { loop, begun, end } = heldTicks();
  void loop.next();
  await begun();
  const order: string[] = [];
  const between = loop.between(async () => {
    order.push('between');
    return 7;
  });
  const next = loop.next().then(() => order.push('tick'));
  expect(order).toEqual([]);
  end(0);
  expect(await between).toBe(7);
  expect(await begun()).toBe(2);
  end(1);
  await next;
  expect(order).toEqual(['between', 'tick']);
});

test('work between ticks that fails rejects for its caller, and stops nothing', async () => {
  const { loop, begun, end } = heldTicks();
  await expect(loop.between(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const next = loop.next();
  expect(await begun()).toBe(1);
  end(0);
  await next;
});

test('closing waits for the tick that runs, and none begins after it', async () => {
  const { loop, begun, end } = heldTicks();
  void loop.next();
  await begun();
  let closed = false;
  const over = loop.close().then(() => {
    closed = true;
  });
  expect(loop.isOpen()).toBe(false);
  const late = loop.next();
  expect(await begun()).toBe(1);
  expect(closed).toBe(false);
  end(0);
  await Promise.all([over, late]);
  expect(await begun()).toBe(1);
});
