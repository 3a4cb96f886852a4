import { existsSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shellWord } from '../../../../main/base';
import type { Machine } from '../../../../main/machines';
import { findingOf } from '../../../support/doctor-check';
import { type ToolBench, toolBench } from '../../../support/stand-in-tools';

const isRoot = process.getuid?.() === 0;

/** The same machine, whose scripts begin with these lines. */
const beginning = (machine: Machine, lines: string): Machine => ({
  ...machine,
  run: (script, options) => machine.run(`${lines}\n${script}`, options),
});

/** The same machine, whose scripts run as if by that command line. */
const through = (machine: Machine, command: string): Machine => ({
  ...machine,
  run: (script, options) => machine.run(`exec ${command} sh -c ${shellWord(script)}`, options),
});

describe('login shell', () => {
  /** An account whose shell is such a script, by the name given. */
  async function withShell(name: string, body: string): Promise<ToolBench> {
    const bench = await toolBench();
    await bench.standIn(name, body);
    await bench.standIn('getent', `echo "someone:x:1000:1000::/home/someone:\${0%/*}/${name}"`);
    return bench;
  }
  const shell = (body: string) => withShell('bash', body);

  test('a quiet one is good', async () => {
    const { machine } = await shell('exec /bin/sh "$@"');
    expect(await findingOf(machine, 'login-shell')).toMatchObject({ state: 'good', todo: null });
  });

  test('one whose start-up files print is reported, with the line that fixes it', async () => {
    const { machine } = await shell('echo "Welcome to the lab"; exec /bin/sh "$@"');
    const finding = await findingOf(machine, 'login-shell');
    expect(finding).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('prints "Welcome to the lab"'),
    });
    expect(finding.todo).toContain('case $- in *i*) ;; *) return ;; esac');
    expect(finding.todo).toContain('.bashrc');
  });

  test('one that opens a menu instead of running commands is bad', async () => {
    const { machine } = await shell('echo "1) bash  2) python"; exit 0');
    expect(await findingOf(machine, 'login-shell')).toMatchObject({ state: 'bad' });
  });

  test('none at all is bad', async () => {
    const { machine } = await withShell('nologin', 'exit 1');
    const finding = await findingOf(machine, 'login-shell');
    expect(finding).toMatchObject({ state: 'bad', found: expect.stringContaining('runs no commands') });
  });

  test('one that is not POSIX is good, and named', async () => {
    const { machine } = await withShell('fish', 'exec /bin/sh "$@"');
    const finding = await findingOf(machine, 'login-shell');
    expect(finding).toMatchObject({ state: 'good', found: expect.stringContaining('not a POSIX shell') });
  });

  test.each(['bash', 'dash', 'fish', 'ksh', 'tcsh', 'zsh'].filter((name) => existsSync(`/usr/bin/${name}`)))(
    'a real %s without start-up files is good',
    async (name) => {
      const bench = await toolBench();
      await bench.standIn('getent', `echo "someone:x:1000:1000::/home/someone:/usr/bin/${name}"`);
      const { state, found } = await findingOf(bench.machine, 'login-shell');
      expect([state, found]).toEqual(['good', expect.stringContaining(`/usr/bin/${name}`)]);
    },
  );

  test('a slow one is reported with its time', async () => {
    const { machine } = await shell('sleep 2.2; exec /bin/sh "$@"');
    const finding = await findingOf(machine, 'login-shell');
    expect(finding).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/takes \d+\.\d s to start/),
    });
  });

  test('output of login shells alone is good', async () => {
    const { machine } = await shell('[ "$1" != -l ] || echo "3 new mails"; exec /bin/sh "$@"');
    const finding = await findingOf(machine, 'login-shell');
    expect(finding).toMatchObject({
      state: 'good',
      found: expect.stringContaining('a login prints "3 new mails"'),
    });
  });
});

describe('limits', () => {
  test('a low limit of open files is reported, with what to put into a set-up', async () => {
    const { machine } = await toolBench();
    const finding = await findingOf(beginning(machine, 'ulimit -Sn 256'), 'limits');
    expect(finding).toMatchObject({ state: 'warning', found: expect.stringContaining('open files 256') });
    expect(finding.todo).toMatch(/ulimit -n \d+/);
  });

  test('where they cannot be raised an administrator is to be asked', async () => {
    const { machine } = await toolBench();
    const finding = await findingOf(beginning(machine, 'ulimit -n 256'), 'limits');
    expect(finding.todo).toContain('nofile');
  });

  test.skipIf(!existsSync('/usr/bin/prlimit'))('too few processes are bad (needs prlimit)', async () => {
    const { machine } = await toolBench();
    const finding = await findingOf(through(machine, 'prlimit --nproc=200'), 'limits');
    expect(finding).toMatchObject({ state: 'bad', found: expect.stringContaining('processes 200') });
  });
});

describe('what ends jobs at logout', () => {
  test('systemd is reported, with the line of its file', async () => {
    const bench = await toolBench();
    await bench.standIn('busctl', 'echo "b true"');
    const finding = await findingOf(bench.machine, 'outlives-logout');
    expect(finding).toMatchObject({ state: 'bad', todo: expect.stringContaining('KillUserProcesses=no') });
  });

  test('nothing of the kind is good', async () => {
    const bench = await toolBench();
    await bench.standIn('busctl', 'echo "b false"');
    expect(await findingOf(bench.machine, 'outlives-logout')).toMatchObject({ state: 'good' });
  });
});

describe('disk', () => {
  const df = (space: string, inodes: string) =>
    `case "$1" in -Pi) echo 'fs 1 1 1 1% /'; echo '${inodes}' ;; *) echo 'head'; echo '${space}' ;; esac`;
  const PLENTY = '/dev/sda1 500000000 100000000 400000000 20% /home';
  const MANY = '/dev/sda1 30000000 100000 29900000 1% /home';

  test.each([
    ['much', PLENTY, MANY, 'good', /free \(\/home\)\.$/],
    [
      'little',
      '/dev/sda1 500000000 490000000 10000000 98% /home',
      MANY,
      'warning',
      /9\.5 GiB of 477 GiB free/,
    ],
    [
      'hardly any',
      '/dev/sda1 500000000 499900000 100000 100% /home',
      MANY,
      'bad',
      /97\.7 MiB of 477 GiB free/,
    ],
    [
      'hardly any inodes',
      PLENTY,
      '/dev/sda1 30000000 29999000 1000 100% /home',
      'warning',
      /1000 more files/,
    ],
    ['a file system without inodes', PLENTY, 'ceph 0 0 0 - /home', 'good', /free/],
  ])('with %s left', async (_, space, inodes, state, found) => {
    const bench = await toolBench();
    await bench.standIn('df', df(space, inodes));
    const finding = await findingOf(bench.machine, 'disk-home');
    expect(finding).toMatchObject({ state, found: expect.stringMatching(found) });
  });

  test.skipIf(!isRoot)(
    'that cannot take another megabyte is bad even if df shows free space (needs root)',
    async () => {
      const bench = await toolBench();
      await bench.standIn('df', df(PLENTY, MANY));
      const small = beginning(
        through(bench.machine, 'unshare --mount'),
        'mount -t tmpfs -o size=512k none "$HOME" || exit 9',
      );
      const finding = await findingOf(small, 'disk-home');
      expect(finding).toMatchObject({
        state: 'bad',
        found: expect.stringMatching(/Cannot write.*No space left/),
      });
    },
  );

  test('is left clean, also of a file that an earlier check could not remove', async () => {
    const bench = await toolBench();
    const left = join(bench.home, '.mars2-doctor.4711');
    await writeFile(left, 'x');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await utimes(left, anHourAgo, anHourAgo);
    await findingOf(bench.machine, 'disk-home');
    expect(await readdir(bench.home)).toEqual([]);
  });

  test('a home folder on a file server is reported', async () => {
    const bench = await toolBench();
    await bench.standIn('findmnt', 'echo nfs4');
    const finding = await findingOf(bench.machine, 'home-file-system');
    expect(finding).toMatchObject({ state: 'warning', found: expect.stringContaining('(nfs4)') });
  });
});

describe('quota', () => {
  const HEAD = '     Filesystem  blocks   quota   limit   grace   files   quota   limit   grace';
  test.each([
    ['none', 'Disk quotas for user ada (uid 1000): none', 'good', /None is set/],
    ['room', '/dev/sda1 1048576 8388608 9437184 0 10 0 0 0', 'good', /1 GiB of 8 GiB on \/dev\/sda1/],
    [
      'nearly no room',
      'nas:/home 8000000 8388608 9437184 0 10 0 0 0',
      'warning',
      /Nearly used up: 7\.6 GiB of 8 GiB on nas:\/home/,
    ],
    ['no room', 'nas:/home 8488608* 8388608 9437184 1763750000 10 0 0 0', 'bad', /Used up/],
    ['no files', '/dev/sda1 10 0 0 0 99999 100000 110000 0', 'warning', /99999 of 100000 files/],
  ])('with %s left', async (_, line, state, found) => {
    const bench = await toolBench();
    await bench.standIn('quota', `printf '%s\\n' '${HEAD}' '${line}'; exit ${state === 'bad' ? 1 : 0}`);
    expect(await findingOf(bench.machine, 'quota')).toMatchObject({
      state,
      found: expect.stringMatching(found),
    });
  });

  test('of a file server without the program is not known', async () => {
    const bench = await toolBench({ without: ['quota'] });
    await bench.standIn('stat', 'echo nfs');
    expect(await findingOf(bench.machine, 'quota')).toMatchObject({ state: 'unknown', todo: null });
  });
});

test('a quota is not looked for on a disk of the machine where there is no such program', async () => {
  const bench = await toolBench({ without: ['quota'] });
  await bench.standIn('stat', 'echo ext2/ext3');
  expect(await findingOf(bench.machine, 'quota')).toMatchObject({ state: 'good' });
});
