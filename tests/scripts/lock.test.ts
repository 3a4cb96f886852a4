import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownerIsGone, withLock } from '../../scripts/lock.mjs';

describe('a lock', () => {
  let folder = '';
  const path = () => join(folder, 'lock');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mars2-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('lets one in at a time', async () => {
    let inside = 0;
    let most = 0;
    const enter = () =>
      withLock(path(), async () => {
        inside += 1;
        most = Math.max(most, inside);
        await sleep(20);
        inside -= 1;
      });
    await Promise.all([enter(), enter(), enter()]);
    expect(most).toBe(1);
  });

  it('is released when the work fails', async () => {
    const work = () => Promise.reject(new Error('boom'));
    await expect(withLock(path(), work)).rejects.toThrow('boom');
    expect(existsSync(path())).toBe(false);
  });

  it('of a process that was killed is taken over', async () => {
    const noSuchProcess = 2 ** 30;
    writeFileSync(path(), `${hostname()} ${noSuchProcess}\n`);
    expect(await withLock(path(), async () => 'in')).toBe('in');
  });

  it.each([
    ['a living owner', 'here 7', 1e9, true, false],
    ['a dead owner', 'here 7', 0, false, true],
    ['an owner on another host, lately', 'there 7', 60_000, false, false],
    ['an owner on another host, long ago', 'there 7', 3_600_000, true, true],
    ['an owner about to write its name', '', 0, true, false],
    ['an owner killed before it wrote its name', '', 60_000, true, true],
  ])('%s', (_title, text, ageMs, alive, expected) => {
    expect(ownerIsGone(text, ageMs, 'here', () => alive)).toBe(expected);
  });
});
