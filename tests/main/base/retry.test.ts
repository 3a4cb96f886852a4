import { expect, test } from 'vitest';
import { createKeyedQueue, nextRetry, type RetryPolicy, retryText } from '../../../main/base';

const policy: RetryPolicy<'lost' | 'failed'> = {
  maxRetries: { lost: 3, failed: 0 },
  firstWaitMs: 5_000,
  longestWaitMs: 12_000,
};

test('each cause has its own retries, and each retry waits twice as long up to the longest', () => {
  expect([0, 1, 2, 3].map((made) => nextRetry(policy, 'lost', made)?.waitMs ?? null)).toEqual([
    5_000,
    10_000,
    12_000,
    null,
  ]);
  expect(nextRetry(policy, 'failed', 0)).toBeNull();
  const retry = nextRetry(policy, 'lost', 1);
  expect(retry === null ? '' : retryText(retry)).toBe('starts again in 10 s (retry 2 of 3)');
});

test('work of one key runs in order, also after an error; that of others side by side', async () => {
  const queue = createKeyedQueue();
  const order: string[] = [];
  let end = (): void => undefined;
  const slow = queue.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const broken = queue.run('a', async () => {
    order.push('a2');
    throw new Error('no');
  });
  const third = queue.run('a', async () => order.push('a3'));
  await queue.run('b', async () => order.push('b'));
  expect(order).toEqual(['b']);
  end();
  await slow;
  await expect(broken).rejects.toThrow('no');
  await third;
  await queue.idle();
  expect(order).toEqual(['b', 'a2', 'a3']);
});
