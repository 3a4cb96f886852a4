import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Result } from '../../../main/base';
import { createLocalMachine, linuxIdentity, parseProcessStat } from '../../../main/machines';
import type { Refusal } from '../../../preload/contract';
import { bundleScript } from '../../support/bundled-script';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const machine = createLocalMachine('/nowhere');

describe('process stat', () => {
  // proc(5): pid (name) state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime cutime
  // cstime priority nice threads itrealvalue starttime ...
  const line = (name: string) =>
    `4711 (${name}) S 1 4700 4700 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 987654 2715648 300 18446744073709551615`;

  test.each(['sh', 'two words', 'a) R 1 (b', ') '])('is read behind the name "%s"', (name) => {
    expect(parseProcessStat(line(name))).toEqual({ state: 'S', groupId: 4700, startTicks: '987654' });
  });

  test.each(['', 'Sat Nov 21 10:00:00 2026', '4711 (sh) S 1'])('"%s" is none', (text) => {
    expect(parseProcessStat(text)).toBeNull();
  });

  test('a mark differs between boots', () => {
    const stat = { state: 'S', groupId: 1, startTicks: '5' };
    expect(linuxIdentity('a\n', stat)).toBe(linuxIdentity('a', stat));
    expect(linuxIdentity('a', stat)).not.toBe(linuxIdentity('b', stat));
  });
});

describe('processes', () => {
  test('a process keeps its mark, another has another, and a dead one none', async () => {
    const children = [spawn('sleep', ['1000']), spawn('sleep', ['1000'])];
    const pids = children.map(({ pid }) => pid ?? 0);
    const marks = await Promise.all(pids.map((pid) => unwrap(machine.processIdentity(pid))));
    expect(marks).not.toContain(null);
    expect(await unwrap(machine.processIdentity(pids[0] ?? 0))).toBe(marks[0]);
    for (const child of children) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    expect(await unwrap(machine.processIdentity(pids[0] ?? 0))).toBeNull();
  });

  test('a group is listed, signalled and gone', async () => {
    const folder = await temporaryFolder();
    const args = ['-c', 'sleep 1000 & sleep 1000 & wait'];
    const { pid } = await unwrap(machine.spawnDetached({ command: 'sh', args, cwd: folder, env: {} }));
    await expect.poll(() => unwrap(machine.groupMembers(pid))).toHaveLength(3);
    await unwrap(machine.signalGroup(pid, 'SIGKILL'));
    await expect.poll(() => unwrap(machine.groupMembers(pid))).toEqual([]);
    await unwrap(machine.signalGroup(pid, 'SIGKILL'));
  });
});

test('a detached process holds no file of whoever starts it, as Electron would leave them open', async () => {
  const folder = await temporaryFolder();
  const program = await bundleScript(resolve('tests/support/start-detached.ts'), folder);
  // Node closes the lowest ones itself; a window's are higher, too.
  const words = ['-c', 'exec 40</dev/null 150</dev/null; exec "$@"', 'bash', process.execPath, program];
  const output = execFileSync('bash', [...words, folder, 'exec sleep 300'], { encoding: 'utf8' });
  const { pid } = await unwrap(Promise.resolve(JSON.parse(output) as Result<{ pid: number }, Refusal>));
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  await expect.poll(() => readFile(`/proc/${pid}/comm`, 'utf8')).toBe('sleep\n');
  expect((await readdir(`/proc/${pid}/fd`)).sort()).toEqual(['0', '1', '2']);
});

describe('files', () => {
  test('a folder is made once, with its parents, for this user only', async () => {
    const path = join(await temporaryFolder(), 'a', 'b');
    expect(await unwrap(machine.makeFolder(path))).toBe(true);
    expect(await unwrap(machine.makeFolder(path))).toBe(false);
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  test('what is absent is null or empty, and other troubles are not hidden', async () => {
    const folder = await temporaryFolder();
    const absent = join(folder, 'absent');
    expect(await unwrap(machine.readText(absent))).toBeNull();
    expect(await unwrap(machine.readSlice(absent, 0, 10))).toBeNull();
    expect(await unwrap(machine.listFolder(absent))).toEqual([]);
    expect(await machine.readText(folder)).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  });

  test('writing replaces the text and leaves no draft', async () => {
    const folder = await mkdtemp(join(await temporaryFolder(), 'x'));
    await Promise.all(
      ['one', 'two', 'three'].map((text) => unwrap(machine.writeText(join(folder, 'f'), text))),
    );
    expect(await unwrap(machine.listFolder(folder))).toEqual(['f']);
    expect(['one', 'two', 'three']).toContain(await unwrap(machine.readText(join(folder, 'f'))));
  });

  test('a slice is read from either end, through a link, in a sparse file of 10 GB', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'big');
    await writeFile(path, 'begin');
    await truncate(path, 10_000_000_000);
    await symlink(path, join(folder, 'link'));
    const head = await unwrap(machine.readSlice(join(folder, 'link'), 0, 5));
    expect(Buffer.from(head?.bytes ?? []).toString()).toBe('begin');
    expect(head?.size).toBe(10_000_000_000);
    expect((await unwrap(machine.readSlice(path, -3, 100)))?.bytes).toHaveLength(3);
    expect((await unwrap(machine.readSlice(path, 10_000_000_001, 100)))?.bytes).toHaveLength(0);
  });
});

describe('scripts', () => {
  test('a script gets its input, and its stdout, stderr and exit code come back separately', async () => {
    const end = await unwrap(machine.run('cat; echo bad >&2; exit 7', { stdin: 'a\0b' }));
    expect(end).toEqual({ code: 7, stdout: 'a\0b', stderr: 'bad\n' });
  });

  test('one that hangs is ended with all that it started', async () => {
    const folder = await temporaryFolder();
    const script = `cd '${folder}'; sleep 1000 & echo $! >pid; sleep 1000`;
    const answer = await machine.run(script, { timeoutMs: 300 });
    expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    const pid = Number(await unwrap(machine.readText(join(folder, 'pid'))));
    await expect.poll(() => unwrap(machine.processIdentity(pid))).toBeNull();
  });

  test('a cancelled one is ended and says so', async () => {
    const stop = new AbortController();
    const answer = machine.run('sleep 1000', { signal: stop.signal });
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  test('what it leaves running does not hold up the answer', async () => {
    const folder = await temporaryFolder();
    const script = `sleep 1000 & echo $! >'${folder}/pid'; echo done`;
    expect((await unwrap(machine.run(script))).stdout).toBe('done\n');
    process.kill(Number(await unwrap(machine.readText(join(folder, 'pid')))), 'SIGKILL');
  });

  test('what was written while this process stood still is part of the answer', async () => {
    const answer = machine.run('(sleep 0.3; echo late) & exit 0');
    // Its end is known by then, and the time to wait for more output passes meanwhile.
    await new Promise((resolve) => setTimeout(() => setImmediate(resolve), 150));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    expect(await unwrap(answer)).toMatchObject({ code: 0, stdout: 'late\n' });
  });

  test('an attached process is spoken with and ends with its group', async () => {
    const one = await unwrap(machine.spawn('sh', ['-c', 'read line; echo "got $line"; sleep 1000 & wait']));
    one.stdin.write('hello\n');
    const [text] = await once(one.stdout, 'data');
    expect(String(text)).toBe('got hello\n');
    one.kill();
    expect(await one.ended).toEqual({ code: 137 });
  });
});

test('a folder is put somewhere else once, and again when it is another', async () => {
  const [from, to] = [join(await temporaryFolder(), 'from'), join(await temporaryFolder(), 'a', 'to')];
  await mkdir(join(from, 'sub'), { recursive: true });
  await writeFile(join(from, 'sub', 'one'), 'one');
  await unwrap(machine.upload(from, to));
  const { ino } = await stat(to);
  await mkdir(join(to, '__pycache__'));
  await writeFile(join(to, '__pycache__', 'x.pyc'), '');
  await unwrap(machine.upload(from, to));
  expect((await stat(to)).ino).toBe(ino);
  await writeFile(join(from, 'sub', 'one'), 'two');
  await unwrap(machine.upload(from, to));
  expect(await readFile(join(to, 'sub', 'one'), 'utf8')).toBe('two');
  expect(await machine.upload(join(from, 'absent'), to)).toMatchObject({ ok: false });
});
