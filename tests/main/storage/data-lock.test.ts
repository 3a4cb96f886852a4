import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lockDataDir } from '../../../main/storage';
import type { Refusal } from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';

const LOCK = 'workbench.lock';
let script = '';
beforeAll(async () => {
  const folder = await makeTemporaryFolder();
  script = await bundleScript(join(import.meta.dirname, 'programs', 'hold-lock.ts'), folder.path);
  return folder.dispose;
});

/** Another workbench that tries to take the folder, and the word it says. */
async function contender(folder: string): Promise<{ child: ChildProcess; output: string }> {
  const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  for await (const line of createInterface({ input: child.stdout })) return { child, output: line };
  throw new Error('The contender said nothing.');
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function refusalOf(folder: string): Promise<Refusal> {
  const lock = await lockDataDir(folder);
  if (!lock.ok) return lock.error;
  lock.value.dispose();
  throw new Error('The lock was taken.');
}

describe('the lock of a data folder', () => {
  it('is taken, makes the folder, and is gone after dispose', async () => {
    const folder = join(await temporaryFolder(), 'new', 'data');
    const lock = await lockDataDir(folder);
    expect(lock.ok && lock.value.holder.pid).toBe(process.pid);
    expect(await readdir(folder)).toEqual([LOCK]);
    if (lock.ok) lock.value.dispose();
    if (lock.ok) lock.value.dispose();
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a second taker of the same process', async () => {
    const folder = await temporaryFolder();
    const lock = await lockDataDir(folder);
    expect((await refusalOf(folder)).message).toContain(`process ${process.pid}`);
    if (lock.ok) lock.value.dispose();
  });

  it('refuses while another process holds it, naming that process and what to do', async () => {
    const folder = await temporaryFolder();
    const { child, output } = await contender(folder);
    expect(output).toBe('taken');
    const refusal = await refusalOf(folder);
    expect(refusal.code).toBe('conflict');
    expect(refusal.message).toBe(
      `The data folder ${folder} is in use by another workbench (process ${child.pid}). Close that one, or choose another folder with --data.`,
    );
    expect(await readdir(folder)).toEqual([LOCK]);
  });

  it('of a process that was killed is taken over', async () => {
    const folder = await temporaryFolder();
    await killed((await contender(folder)).child);
    const lock = await lockDataDir(folder);
    expect(lock.ok && lock.value.holder.pid).toBe(process.pid);
    expect(await readdir(folder)).toEqual([LOCK]);
    if (lock.ok) lock.value.dispose();
  });

  it('of a process whose id now belongs to another one is taken over', async () => {
    const folder = await temporaryFolder();
    const holder = { pid: process.ppid, start: 'long ago', host: hostname(), token: '0'.repeat(32) };
    await writeFile(join(folder, LOCK), JSON.stringify(holder));
    const lock = await lockDataDir(folder);
    expect(lock.ok).toBe(true);
    if (lock.ok) lock.value.dispose();
  });

  it('of another computer is never taken over', async () => {
    const folder = await temporaryFolder();
    const holder = { pid: 1, start: 'x', host: 'elsewhere', token: '0'.repeat(32) };
    await writeFile(join(folder, LOCK), JSON.stringify(holder));
    const refusal = await refusalOf(folder);
    expect(refusal.message).toContain('on the computer elsewhere (process 1)');
    expect(refusal.hint).toContain(`delete ${join(folder, LOCK)}`);
  });

  it('that cannot be understood is left alone', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, LOCK), 'mine');
    expect((await refusalOf(folder)).hint).toContain('delete');
    expect(await readFile(join(folder, LOCK), 'utf8')).toBe('mine');
  });

  it('is not needed by a folder that cannot be one', async () => {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    expect((await refusalOf(path)).code).toBe('unavailable');
  });

  it('is not given back by one who has lost it', async () => {
    const folder = await temporaryFolder();
    const lock = await lockDataDir(folder);
    await writeFile(join(folder, LOCK), 'another one');
    if (lock.ok) lock.value.dispose();
    expect(await readdir(folder)).toEqual([LOCK]);
  });

  it('goes to exactly one of several that start at once, fresh, and after the holder was killed', async () => {
    const folder = await temporaryFolder();
    for (let round = 0; round < 5; round++) {
      const all = await Promise.all(Array.from({ length: 4 }, () => contender(folder)));
      const winners = all.filter((one) => one.output === 'taken');
      expect(all.map((one) => one.output).sort()).toEqual(['conflict', 'conflict', 'conflict', 'taken']);
      for (const winner of winners) await killed(winner.child);
    }
    expect(await readdir(folder)).toEqual([LOCK]);
  });

  it('is taken over once by many takers in one process, also past takers that died on the way', async () => {
    const dead = { pid: 2 ** 22 + 1, start: 'x', host: hostname() };
    const tokens = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    for (let round = 0; round < 20; round++) {
      const folder = join(await temporaryFolder(), `${round}`);
      await mkdir(folder);
      // A dead holder, a dead taker of its lock, and a dead taker of that taker's claim.
      await writeFile(join(folder, LOCK), JSON.stringify({ ...dead, token: tokens[0] }));
      await writeFile(join(folder, `${LOCK}.${tokens[0]}`), JSON.stringify({ ...dead, token: tokens[1] }));
      await writeFile(join(folder, `${LOCK}.${tokens[1]}`), JSON.stringify({ ...dead, token: tokens[2] }));
      await writeFile(
        join(folder, `${LOCK}.mine-${tokens[2]}`),
        JSON.stringify({ ...dead, token: tokens[2] }),
      );
      const locks = await Promise.all(Array.from({ length: 8 }, () => lockDataDir(folder)));
      expect(locks.filter((lock) => lock.ok)).toHaveLength(1);
      expect(await readdir(folder)).toEqual([LOCK]);
      for (const lock of locks) if (lock.ok) lock.value.dispose();
    }
  });
});
