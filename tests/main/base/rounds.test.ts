import { expect, test } from 'vitest';
import { createRounds } from '../../../main/base';

/** Rounds that end when they are told to. */
function heldRounds() {
  const ends: ((error?: Error) => void)[] = [];
  const rounds = createRounds(
    () =>
      new Promise<void>((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
  );
  const begun = async (): Promise<number> => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
    return ends.length;
  };
  return { rounds, begun, end: (at: number, error?: Error) => ends[at]?.(error) };
}

test('whoever asks while a round goes on shares the next one, and no two go on at once', async () => {
  const { rounds, begun, end } = heldRounds();
  const first = rounds.next();
  expect(await begun()).toBe(1);
  const second = rounds.next();
  expect(rounds.next()).toBe(second);
  expect(await begun()).toBe(1);
  end(0);
  await first;
  expect(await begun()).toBe(2);
  end(1);
  await second;
});

test('a round that fails is told to those who await it, and the next one begins all the same', async () => {
  const { rounds, begun, end } = heldRounds();
  const first = rounds.next();
  await begun();
  const second = rounds.next();
  end(0, new Error('no disk'));
  await expect(first).rejects.toThrow('no disk');
  expect(await begun()).toBe(2);
  end(1);
  await second;
});

test('what comes between rounds waits for the one that goes on, and the next waits for it', async () => {
  const { rounds, begun, end } = heldRounds();
  void rounds.next();
  await begun();
  const order: string[] = [];
  const between = rounds.between(async () => {
    order.push('between');
    return 7;
  });
  const next = rounds.next().then(() => order.push('round'));
  expect(order).toEqual([]);
  end(0);
  expect(await between).toBe(7);
  expect(await begun()).toBe(2);
  end(1);
  await next;
  expect(order).toEqual(['between', 'round']);
});

test('work between rounds that fails is told to who asked, and stops nothing', async () => {
  const { rounds, begun, end } = heldRounds();
  await expect(rounds.between(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const next = rounds.next();
  expect(await begun()).toBe(1);
  end(0);
  await next;
});

test('closing waits for the round that goes on, and none begins after it', async () => {
  const { rounds, begun, end } = heldRounds();
  void rounds.next();
  await begun();
  let closed = false;
  const over = rounds.close().then(() => {
    closed = true;
  });
  expect(rounds.isOpen()).toBe(false);
  const late = rounds.next();
  expect(await begun()).toBe(1);
  expect(closed).toBe(false);
  end(0);
  await Promise.all([over, late]);
  expect(await begun()).toBe(1);
});
