import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLocalMachine, linuxMark, parseProcessStat } from '../../../main/machines';
import { temporaryFolder } from '../../support/temporary-folder';

const machine = createLocalMachine();

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
    expect(linuxMark('a\n', stat)).toBe(linuxMark('a', stat));
    expect(linuxMark('a', stat)).not.toBe(linuxMark('b', stat));
  });
});

describe('processes', () => {
  test('a process keeps its mark, another has another, and a dead one none', async () => {
    const children = [spawn('sleep', ['1000']), spawn('sleep', ['1000'])];
    const pids = children.map(({ pid }) => pid ?? 0);
    const marks = await Promise.all(pids.map((pid) => machine.processMark(pid)));
    expect(marks).not.toContain(null);
    expect(await machine.processMark(pids[0] ?? 0)).toBe(marks[0]);
    for (const child of children) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    expect(await machine.processMark(pids[0] ?? 0)).toBeNull();
  });

  test('a group is listed, signalled and gone', async () => {
    const folder = await temporaryFolder();
    const args = ['-c', 'sleep 1000 & sleep 1000 & wait'];
    const started = await machine.spawnDetached({ command: 'sh', args, cwd: folder, env: {} });
    const pid = started.ok ? started.value.pid : 0;
    await expect.poll(() => machine.groupMembers(pid)).toHaveLength(3);
    await machine.signalGroup(pid, 'SIGKILL');
    await expect.poll(() => machine.groupMembers(pid)).toEqual([]);
    await machine.signalGroup(pid, 'SIGKILL');
  });
});

describe('files', () => {
  test('a folder is made once, with its parents, for this user only', async () => {
    const path = join(await temporaryFolder(), 'a', 'b');
    expect(await machine.makeFolder(path)).toBe(true);
    expect(await machine.makeFolder(path)).toBe(false);
    expect((await stat(path)).mode & 0o077).toBe(0);
  });

  test('what is absent is null or empty, and other troubles are not hidden', async () => {
    const folder = await temporaryFolder();
    const absent = join(folder, 'absent');
    expect(await machine.readText(absent)).toBeNull();
    expect(await machine.readSlice(absent, 0, 10)).toBeNull();
    expect(await machine.listFolder(absent)).toEqual([]);
    await expect(machine.readText(folder)).rejects.toThrow('EISDIR');
  });

  test('writing replaces the text and leaves no draft', async () => {
    const folder = await mkdtemp(join(await temporaryFolder(), 'x'));
    await Promise.all(['one', 'two', 'three'].map((text) => machine.writeText(join(folder, 'f'), text)));
    expect(await machine.listFolder(folder)).toEqual(['f']);
    expect(['one', 'two', 'three']).toContain(await machine.readText(join(folder, 'f')));
  });

  test('a slice is read from either end, through a link, in a sparse file of 10 GB', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'big');
    await writeFile(path, 'begin');
    await truncate(path, 10_000_000_000);
    await symlink(path, join(folder, 'link'));
    const head = await machine.readSlice(join(folder, 'link'), 0, 5);
    expect(Buffer.from(head?.bytes ?? []).toString()).toBe('begin');
    expect(head?.size).toBe(10_000_000_000);
    expect((await machine.readSlice(path, -3, 100))?.bytes).toHaveLength(3);
    expect((await machine.readSlice(path, 10_000_000_001, 100))?.bytes).toHaveLength(0);
  });
});
