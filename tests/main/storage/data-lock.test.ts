import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lockDataDir } from '../../../main/storage';
import { type ProcessScope, processScope } from '../../../main/storage/process-identity';
import type { Refusal } from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { eventually } from '../../support/eventually';
import { makeTemporaryFolder, temporaryFolder } from '../../support/temporary-folder';

const LOCK = 'workbench.lock';
let script = '';
beforeAll(async () => {
  const folder = await makeTemporaryFolder();
  script = await bundleScript(join(import.meta.dirname, 'programs', 'hold-lock.ts'), folder.path);
  return folder.dispose;
});

type Options = NonNullable<Parameters<typeof lockDataDir>[1]>;

/** Another workbench that tries to take the folder, and the word it says. `enter`: words in front of its command. */
async function contender(
  folder: string,
  options: Options = {},
  enter: readonly string[] = [],
): Promise<{ child: ChildProcess; output: string }> {
  const [command = '', ...args] = [...enter, process.execPath, script, folder, JSON.stringify(options)];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
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

  it('held by a command of a terminal says which one, and that it ends by itself', async () => {
    const folder = await temporaryFolder();
    const lock = await lockDataDir(folder, { command: 'mars2 machines prepare local' });
    expect((await refusalOf(folder)).message).toContain(
      'by another workbench: the command "mars2 machines prepare local" in a terminal (process',
    );
    if (lock.ok) lock.value.dispose();
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

  it('of a version without a lease is left to its host', async () => {
    const folder = await temporaryFolder();
    const holder = { pid: 2 ** 22 + 1, start: 'x', host: hostname(), token: '0'.repeat(32) };
    await writeFile(join(folder, LOCK), JSON.stringify(holder));
    const elsewhere = { host: 'elsewhere', boot: 'b', pidNamespace: 'pid:[1]' };
    expect((await lockDataDir(folder, { scope: elsewhere })).ok).toBe(false);
    const lock = await lockDataDir(folder);
    expect(lock.ok).toBe(true);
    if (lock.ok) lock.value.dispose();
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
    for (let round = 0; round < 3; round++) {
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

/** A beat may be late by seconds on a loaded computer. */
const LEASE = { beatMs: 50, staleMs: 4_000 };
const FIRST: ProcessScope = { host: 'first', boot: 'boot-1', pidNamespace: 'pid:[1]' };
const SECOND: ProcessScope = { host: 'second', boot: 'boot-2', pidNamespace: 'pid:[1]' };

const takenBy = async (folder: string, options: Options): Promise<boolean> => {
  const lock = await lockDataDir(folder, { lease: LEASE, ...options });
  if (lock.ok) onTestFinished(() => lock.value.dispose());
  return lock.ok;
};
const beatAt = async (folder: string): Promise<number> => (await stat(join(folder, LOCK))).mtimeMs;

describe("the lease of a data folder, between places that cannot see each other's processes", () => {
  it('lets a host that was renamed take over at once what its killed workbench held', async () => {
    const folder = await temporaryFolder();
    await killed((await contender(folder)).child);
    expect(await takenBy(folder, { scope: { ...(await processScope()), host: 'renamed' } })).toBe(true);
  });

  it('is kept by a holder that beats, however long it runs, and says when to try again', async () => {
    const folder = await temporaryFolder();
    const { output } = await contender(folder, { scope: FIRST, lease: LEASE });
    expect(output).toBe('taken');
    const start = await beatAt(folder);
    await eventually('the lock to be older than a stale one', async () => {
      return (await beatAt(folder)) > start + 2 * LEASE.staleMs;
    });
    const lock = await lockDataDir(folder, { scope: SECOND, lease: LEASE });
    expect(lock).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(lock.ok ? '' : lock.error.message).toContain('on the computer first');
    expect(lock.ok ? '' : lock.error.hint).toMatch(/its lock ends by itself: try again in \d+ seconds/);
  });

  it.each([
    ['another host', SECOND],
    ['another container of the same host', { ...FIRST, pidNamespace: 'pid:[2]' }],
  ])('of a killed holder goes to %s once it is stale, not before', async (_, place) => {
    const folder = await temporaryFolder();
    await killed((await contender(folder, { scope: FIRST, lease: LEASE })).child);
    // The process that wrote it is gone, which this place cannot know.
    expect(await takenBy(folder, { scope: place, lease: { ...LEASE, staleMs: 3_600_000 } })).toBe(false);
    await eventually('the lease to end', () => takenBy(folder, { scope: place }));
  });

  it('that looks stale or of the future because a clock jumped is not taken while its holder beats', async () => {
    const folder = await temporaryFolder();
    await contender(folder, { scope: FIRST, lease: { ...LEASE, beatMs: 1_000 } });
    for (const jumpS of [-3_600, 3_600]) {
      const jumped = Date.now() / 1_000 + jumpS;
      await utimes(join(folder, LOCK), jumped, jumped);
      expect(await takenBy(folder, { scope: SECOND, lease: { beatMs: 4_000, staleMs: 100_000 } })).toBe(
        false,
      );
    }
  });

  it('that was written in the future by a holder that is gone does not last until then', async () => {
    const folder = await temporaryFolder();
    await killed((await contender(folder, { scope: FIRST, lease: LEASE })).child);
    const future = Date.now() / 1_000 + 3_600;
    await utimes(join(folder, LOCK), future, future);
    expect(await takenBy(folder, { scope: SECOND })).toBe(true);
  });

  it.each([
    ['and keeps', false],
    ['and has released', true],
  ])(
    'that another host took over %s while the holder stood still is noticed by the holder, which ends',
    async (_, isReleased) => {
      const folder = await temporaryFolder();
      const { child } = await contender(folder, { scope: FIRST, lease: LEASE });
      const output: string[] = [];
      child.stdout?.on('data', (piece: Buffer) => output.push(piece.toString()));
      child.kill('SIGSTOP');
      const old = Date.now() / 1_000 - 3_600;
      await utimes(join(folder, LOCK), old, old);
      const taken = await lockDataDir(folder, { scope: SECOND, lease: LEASE });
      if (!taken.ok) throw new Error(taken.error.message);
      onTestFinished(() => taken.value.dispose());
      if (isReleased) taken.value.dispose();
      const closed = once(child, 'close');
      child.kill('SIGCONT');
      expect(await closed).toEqual([3, null]);
      expect(output.join('')).toBe('lost\n');
      const names = await readdir(folder);
      expect(names).toEqual(isReleased ? [] : [LOCK]);
      if (isReleased) return;
      expect(JSON.parse(await readFile(join(folder, LOCK), 'utf8'))).toMatchObject({ host: 'second' });
    },
  );

  it('goes to one of many takers of two other hosts', async () => {
    const folder = await temporaryFolder();
    await killed((await contender(folder, { scope: FIRST, lease: LEASE })).child);
    const old = Date.now() / 1_000 - 3_600;
    await utimes(join(folder, LOCK), old, old);
    const takers = [SECOND, { ...SECOND, host: 'third', boot: 'boot-3' }].flatMap((place) => [place, place]);
    const taken = await Promise.all(takers.map((place) => takenBy(folder, { scope: place })));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await readdir(folder)).toEqual([LOCK]);
  });
});

describe('a folder that is no data folder', () => {
  it('is refused, and nothing in it is changed', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'src'), { mode: 0o755 });
    await chmod(folder, 0o755);
    const { ok, error } = (await lockDataDir(folder)) as { ok: boolean; error: Refusal };
    expect([ok, error.code, error.message]).toEqual([
      false,
      'bad-input',
      expect.stringContaining('such as "src"'),
    ]);
    expect(await readdir(folder)).toEqual(['src']);
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
    expect((await stat(join(folder, 'src'))).mode & 0o777).toBe(0o755);
  });

  it('a file is named as one', async () => {
    const path = join(await temporaryFolder(), 'a file');
    await writeFile(path, '');
    expect(await lockDataDir(path)).toMatchObject({
      error: { message: expect.stringMatching(/it is not a folder\./) },
    });
  });

  it.each([
    ['an empty folder of a new file system', ['lost+found', '.DS_Store']],
    ['one of ours, with a note of the user', ['registry.json', 'notes.txt']],
    [
      'one whose registry is gone, with a note',
      ['app.log', 'jobs', 'trainings', 'reproductions', 'notes.txt'],
    ],
    ['exhibits that wait for the first start', ['exhibits']],
  ])('%s is taken', async (_, names) => {
    const folder = await temporaryFolder();
    for (const name of names) await writeFile(join(folder, name), '');
    const lock = await lockDataDir(folder);
    expect(lock.ok).toBe(true);
    if (lock.ok) lock.value.dispose();
  });
});

const container = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasContainers = (() => {
  try {
    execFileSync('unshare', [...container.slice(1), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false; // no such tool, or no right to it
  }
})();

it.skipIf(!hasContainers)('two PID namespaces never both get a data folder', async () => {
  const folder = await temporaryFolder();
  const first = await contender(folder, { lease: LEASE }, container);
  expect(first.output).toBe('taken');
  expect((await contender(folder, { lease: LEASE }, container)).output).toBe('conflict');
  const outside = await lockDataDir(folder, { lease: LEASE });
  expect(outside.ok ? '' : outside.error.message).toContain('in another container of this computer');
  await killed(first.child);
  // Each of those who ask is a process in a container of its own.
  await eventually('the lease to end', async () => Date.now() > (await beatAt(folder)) + LEASE.staleMs);
  await eventually('a taker', async () => {
    return (await contender(folder, { lease: LEASE }, container)).output === 'taken';
  });
});
