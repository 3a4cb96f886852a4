import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReconciler, type ReconcileProblem, type Reconciler, type Tick } from '../../../main/reconcile';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function reconcilerOf(tick: (tick: Tick) => Promise<void>, everyMs: () => number | null = () => null) {
  const problems: ReconcileProblem[] = [];
  const reconciler: Reconciler = createReconciler({
    name: 'samples',
    tick,
    everyMs,
    onError: (problem) => problems.push(problem),
  });
  return { reconciler, problems, messages: () => problems.map(({ error }) => (error as Error).message) };
}

test('ticks never overlap, and what is scheduled during one makes one more', async () => {
  let running = 0;
  let ticks = 0;
  const { reconciler } = reconcilerOf(async () => {
    expect(++running).toBe(1);
    ticks += 1;
    await new Promise((resolve) => setTimeout(resolve, 100));
    running -= 1;
  });
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(50);
  reconciler.schedule();
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ticks).toBe(2);
  await reconciler.dispose();
});

test('it ticks by itself at its interval, and not after dispose', async () => {
  let ticks = 0;
  let every: number | null = 5_000;
  const { reconciler } = reconcilerOf(
    async () => void ticks++,
    () => every,
  );
  reconciler.rearm();
  await vi.advanceTimersByTimeAsync(15_100);
  expect(ticks).toBe(3);
  every = null;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ticks).toBe(4);
  every = 1_000;
  reconciler.rearm();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ticks).toBe(5);
  await reconciler.dispose();
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ticks).toBe(5);
});

test('a tick that fails is reported each time, and tried again after longer and longer waits, also when the clock is set back', async () => {
  let fails = true;
  let ticks = 0;
  const { reconciler, problems, messages } = reconcilerOf(
    async () => {
      ticks += 1;
      if (fails) throw new Error(`no disk ${ticks}`);
    },
    () => 60_000,
  );
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(0);
  expect(messages()).toEqual(['no disk 1']);
  vi.setSystemTime(Date.now() - 86_400_000);
  for (let i = 0; i < 10; i++) reconciler.schedule();
  await vi.advanceTimersByTimeAsync(999);
  expect(ticks).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(messages()).toEqual(['no disk 1', 'no disk 2', 'no disk 3']);
  expect(problems.map(({ failures, waitMs, key }) => [failures, waitMs, key])).toEqual([
    [1, 1_000, null],
    [2, 2_000, null],
    [3, 4_000, null],
  ]);
  expect(reconciler.problems()).toHaveLength(1);
  fails = false;
  expect(await reconciler.run()).toEqual([]);
  expect(reconciler.problems()).toEqual([]);
  await reconciler.dispose();
});

test('the error of one record stops no other, and that record is left out until its back-off is over', async () => {
  const tried: string[] = [];
  let keys = ['a', 'b'];
  const { reconciler, problems } = reconcilerOf(async ({ attempt }) => {
    for (const key of keys) {
      await attempt(key, async () => {
        tried.push(key);
        if (key === 'a') throw new Error('a is broken');
      });
    }
  });
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(0);
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(0);
  expect(tried).toEqual(['a', 'b', 'b']);
  expect(problems).toMatchObject([{ name: 'samples', key: 'a', failures: 1 }]);
  // By itself, without anybody's call.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(tried).toEqual(['a', 'b', 'b', 'a', 'b']);
  // A person's request does not wait.
  expect(await reconciler.run()).toMatchObject([{ key: 'a', failures: 3 }]);
  keys = ['b'];
  expect(await reconciler.run()).toEqual([]);
  await reconciler.dispose();
});

test('what is done between ticks waits for the one that runs, and its error goes to its caller', async () => {
  const order: string[] = [];
  const { reconciler, problems } = reconcilerOf(async () => {
    order.push('begin');
    await new Promise((resolve) => setTimeout(resolve, 100));
    order.push('end');
  });
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(10);
  const between = reconciler.between(async () => order.push('between'));
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(500);
  await between;
  expect(order).toEqual(['begin', 'end', 'between', 'begin', 'end']);
  await expect(reconciler.between(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(problems).toEqual([]);
  const run = reconciler.run();
  await vi.advanceTimersByTimeAsync(100);
  expect(await run).toEqual([]);
  await reconciler.dispose();
});

test('the end waits for the tick that runs, which learns of it', async () => {
  let seenOpen: boolean[] = [];
  const { reconciler } = reconcilerOf(async ({ isOpen }) => {
    seenOpen = [isOpen()];
    await new Promise((resolve) => setTimeout(resolve, 100));
    seenOpen.push(isOpen());
  });
  reconciler.schedule();
  await vi.advanceTimersByTimeAsync(10);
  let over = false;
  void reconciler.dispose().then(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(50);
  expect(over).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(over).toBe(true);
  expect(seenOpen).toEqual([true, false]);
});
