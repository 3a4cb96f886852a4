import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { failed, forEachLimited, ok } from '../../../main/base';

const never = new AbortController().signal;

describe('forEachLimited', () => {
  it('runs for every item, in order, with at most so many at a time', async () => {
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const failure = await forEachLimited([1, 2, 3, 4, 5], 2, never, async (item) => {
      begun.push(item);
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      return ok(null);
    });
    expect([failure, begun, most]).toEqual([null, [1, 2, 3, 4, 5], 2]);
  });

  it('begins no more after a failure, and gives the first', async () => {
    const begun: number[] = [];
    const failure = await forEachLimited([1, 2, 3, 4, 5], 2, never, async (item) => {
      begun.push(item);
      await sleep(item);
      return item < 2 ? ok(null) : failed(`at ${item}`);
    });
    expect([failure, begun]).toEqual(['at 2', [1, 2, 3]]);
  });

  it('begins no more after the signal', async () => {
    const stop = new AbortController();
    const begun: number[] = [];
    await forEachLimited([1, 2, 3], 1, stop.signal, async (item) => {
      begun.push(item);
      stop.abort();
      return ok(null);
    });
    expect(begun).toEqual([1]);
  });
});
