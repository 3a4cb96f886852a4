import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalMachine, type Machine } from '../../../main/machines';
import { connectedMachine } from '../../support/fleet-bench';
import { hasSshd, type SshdOptions, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

async function machineOf(options: SshdOptions = {}): Promise<Machine> {
  const sshd = await startSshd(options);
  onTestFinished(sshd.stop);
  return (await connectedMachine(sshd)).machine;
}

/** Every byte, NUL and line feed included, in an order that repeats late. */
function manyBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  let state = 1;
  for (let i = 0; i < count; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[i] = state >> 16;
  }
  return bytes;
}

describe.skipIf(!hasSshd)('scripts behind ssh', () => {
  test('a script gets its input, and its stdout, stderr and exit code come back separately', async () => {
    const machine = await machineOf();
    const text = 'a ü\'"$x`\\n%s\n\n';
    const end = await unwrap(machine.run('cat; echo bad >&2; exit 7', { stdin: text }));
    expect(end).toEqual({ code: 7, stdout: text, stderr: 'bad\n' });
    expect(await unwrap(machine.run('cat', { stdin: 'a\0b' }))).toMatchObject({ code: 0, stdout: 'a\0b' });
    expect(await unwrap(machine.run('read line; echo "<$line>"'))).toMatchObject({ stdout: '<>\n' });
    expect(await unwrap(machine.run('kill -KILL $$'))).toMatchObject({ code: 137 });
    expect(await unwrap(machine.run('printf x'))).toEqual({ code: 0, stdout: 'x', stderr: '' });
  });

  test('large and binary input arrives whole', async () => {
    const machine = await machineOf();
    const bytes = manyBytes(3_000_000);
    const sum = await unwrap(machine.run('cksum; exit 3', { stdin: bytes }));
    const here = await unwrap(createLocalMachine('/nowhere').run('cksum', { stdin: bytes }));
    expect(sum).toEqual({ code: 3, stdout: here.stdout, stderr: '' });
  });

  test('large output arrives whole, and one too large is refused', async () => {
    const machine = await machineOf();
    const end = await unwrap(machine.run('head -c 12000000 /dev/zero | tr "\\0" x'));
    expect(end.stdout.length).toBe(12_000_000);
    expect(await machine.run('cat /dev/zero')).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(await unwrap(machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
  });

  test('many at once do not mix', async () => {
    const machine = await machineOf();
    const ends = await Promise.all(
      Array.from({ length: 60 }, (_, i) => unwrap(machine.run(`echo ${i}; echo e${i} >&2; exit ${i}`))),
    );
    expect(ends).toEqual(
      Array.from({ length: 60 }, (_, i) => ({ code: i, stdout: `${i}\n`, stderr: `e${i}\n` })),
    );
  });

  test('one that hangs is ended there with all that it started, and holds up no other', async () => {
    const machine = await machineOf();
    const folder = await temporaryFolder();
    const script = `cd '${folder}'; sleep 1000 & echo $! >pid; sleep 1000`;
    const [late, other] = await Promise.all([
      machine.run(script, { timeoutMs: 400 }),
      machine.run('echo on'),
    ]);
    expect(late).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(other).toMatchObject({ ok: true, value: { stdout: 'on\n' } });
    const pid = Number(await unwrap(machine.readText(join(folder, 'pid'))));
    await expect.poll(() => unwrap(machine.processIdentity(pid))).toBeNull();
  });

  test('a cancelled one is ended there and says so', async () => {
    const machine = await machineOf();
    const folder = await temporaryFolder();
    const stop = new AbortController();
    const answer = machine.run(`echo $$ >'${folder}/pid'; sleep 1000`, { signal: stop.signal });
    await expect.poll(() => unwrap(machine.readText(join(folder, 'pid')))).not.toBeNull();
    const pid = Number(await unwrap(machine.readText(join(folder, 'pid'))));
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await expect.poll(() => unwrap(machine.processIdentity(pid))).toBeNull();
  });

  test('what a script leaves running neither holds up its answer nor writes into the next', async () => {
    const machine = await machineOf();
    const end = await unwrap(machine.run('(sleep 0.2; echo late; echo late >&2; sleep 1000) & echo $!'));
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => unwrap(machine.run('sleep 0.1; echo one'))),
    );
    expect(ends.map(({ stdout, stderr }) => stdout + stderr)).toEqual(Array(8).fill('one\n'));
    process.kill(Number(end.stdout), 'SIGKILL');
  });
});

describe.skipIf(!hasSshd)('processes behind ssh', () => {
  test('an attached process is spoken with, to the byte, and ends by itself', async () => {
    const machine = await machineOf();
    const bytes = manyBytes(2_000_000);
    const one = await unwrap(machine.spawn('sh', ['-c', 'cat; echo done >&2; exit 5']));
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    one.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    one.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    one.stdin.end(bytes);
    expect(await one.ended).toEqual({ code: 5 });
    expect(Buffer.concat(out).equals(bytes)).toBe(true);
    expect(Buffer.concat(errors).toString()).toBe('done\n');
  });

  test('a killed one ends there with all that it started, even deaf to signals', async () => {
    const machine = await machineOf();
    const one = await unwrap(
      machine.spawn('sh', ['-c', 'trap "" TERM HUP PIPE; sleep 1000 & echo $!; while :; do sleep 1; done']),
    );
    one.stderr.resume();
    const [text] = await once(one.stdout, 'data');
    one.kill();
    expect(await one.ended).toEqual({ code: 137 });
    await expect.poll(() => unwrap(machine.processIdentity(Number(String(text))))).toBeNull();
  });

  test('an absent program is reported by its exit code', async () => {
    const machine = await machineOf();
    const one = await unwrap(machine.spawn('no-such-program', ['a b']));
    one.stdout.resume();
    one.stderr.resume();
    expect(await one.ended).toEqual({ code: 127 });
  });

  test('a detached one has its own session, its arguments and environment, and outlives the app', async () => {
    const machine = await machineOf();
    const folder = await temporaryFolder();
    const script = 'printf "%s|%s|%s" "$PWD" "$A" "$1" >said.tmp; mv said.tmp said; sleep 1000';
    const { pid } = await unwrap(
      machine.spawnDetached({
        command: 'sh',
        args: ['-c', script, 'x', "it's\n$HOME"],
        cwd: folder,
        env: { A: 'x "y"\n z' },
      }),
    );
    await expect.poll(() => unwrap(machine.readText(join(folder, 'said')))).not.toBeNull();
    expect(await unwrap(machine.readText(join(folder, 'said')))).toBe(`${folder}|x "y"\n z|it's\n$HOME`);
    const session = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ')[5];
    expect(Number(session)).toBe(pid);
    expect(await unwrap(machine.groupMembers(pid))).toContain(pid);
    expect(await unwrap(machine.processIdentity(pid))).toBe(
      await unwrap(createLocalMachine('/nowhere').processIdentity(pid)),
    );
    await unwrap(machine.signalGroup(pid, 'SIGKILL'));
    await expect.poll(() => unwrap(machine.groupMembers(pid))).toEqual([]);
    expect(await unwrap(machine.processIdentity(pid))).toBeNull();
    await unwrap(machine.signalGroup(pid, 'SIGKILL'));
  });

  test('one that cannot be started is refused with the reason', async () => {
    const machine = await machineOf();
    const start = (command: string, cwd: string) =>
      machine.spawnDetached({ command, args: [], cwd, env: {} });
    const refused = (message: RegExp) => ({
      ok: false,
      error: { code: 'unavailable', message: expect.stringMatching(message) },
    });
    expect(await start('true', '/no/such')).toMatchObject(refused(/no folder \/no\/such/));
    expect(await start('no-such-program', '/')).toMatchObject(refused(/program does not exist/));
  });
});

describe.skipIf(!hasSshd)('files behind ssh', () => {
  test('all is as on this computer', async () => {
    const remote = await machineOf();
    const local = createLocalMachine('/nowhere');
    const answersOf = async (machine: Machine): Promise<readonly unknown[]> => {
      const folder = await temporaryFolder();
      const at = (name: string) => join(folder, name);
      const said: unknown[] = [];
      const note = async (answer: Promise<{ ok: boolean }>) => {
        const result = await answer;
        said.push(result.ok ? result : 'refused');
      };
      await note(machine.makeFolder(at('a/b c')));
      await note(machine.makeFolder(at('a/b c')));
      await note(machine.writeText(at('a/b c/ü \'"$'), 'one\n'));
      await note(machine.writeText(at('a/b c/ü \'"$'), 'two ü'));
      await note(machine.readText(at('a/b c/ü \'"$')));
      await note(machine.writeText(at('a/.hidden'), ''));
      await note(machine.writeText(at('a/B'), 'x\n\n'));
      await note(machine.readText(at('a/B')));
      await note(machine.listFolder(at('a')));
      await note(machine.listFolder(at('absent')));
      await note(machine.readText(at('absent')));
      await note(machine.readSlice(at('absent'), 0, 5));
      await note(machine.readText(at('a')));
      await note(machine.writeText(at('a'), 'x'));
      await note(machine.writeText(at('no/such'), 'x'));
      await writeFile(at('bytes'), manyBytes(1_000));
      for (const [offset, count] of [
        [0, 10],
        [990, 100],
        [-7, 3],
        [-5_000, 2],
        [1_000, 5],
        [2_000, 5],
        [3, 0],
      ] as const) {
        const slice = await unwrap(machine.readSlice(at('bytes'), offset, count));
        said.push([slice?.size, Buffer.from(slice?.bytes ?? []).toString('hex')]);
      }
      await note(machine.removeFile(at('a/B')));
      await note(machine.removeFile(at('a/B')));
      await note(machine.removeFolder(at('a')));
      await note(machine.removeFolder(at('a')));
      said.push(await readdir(folder));
      return said;
    };
    expect(await answersOf(remote)).toEqual(await answersOf(local));
  });

  test('what is made is for this user only', async () => {
    const machine = await machineOf();
    const folder = join(await temporaryFolder(), 'x');
    await unwrap(machine.makeFolder(folder));
    await unwrap(machine.writeText(join(folder, 'f'), 'x'));
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect((await stat(join(folder, 'f'))).mode & 0o077).toBe(0);
  });

  test('a slice is read from either end, through a link, in a sparse file of 10 GB', async () => {
    const machine = await machineOf();
    const folder = await temporaryFolder();
    const path = join(folder, 'big');
    await writeFile(path, 'begin');
    await truncate(path, 10_000_000_000);
    await symlink(path, join(folder, 'link'));
    const head = await unwrap(machine.readSlice(join(folder, 'link'), 0, 5));
    expect(Buffer.from(head?.bytes ?? []).toString()).toBe('begin');
    expect(head?.size).toBe(10_000_000_000);
    expect((await unwrap(machine.readSlice(path, -3, 100)))?.bytes).toHaveLength(3);
    expect((await unwrap(machine.readSlice(path, 9_999_000_000, 4_000_000)))?.bytes).toHaveLength(1_000_000);
  });

  test('a folder is put there once, and again when it is another', async () => {
    const machine = await machineOf();
    const [from, to] = [join(await temporaryFolder(), 'from'), join(await temporaryFolder(), 'a', 'to')];
    await mkdir(join(from, 'sub'), { recursive: true });
    await writeFile(join(from, 'sub', 'one'), manyBytes(500_000));
    await writeFile(join(from, 'run'), '#!/bin/sh\n');
    await chmod(join(from, 'run'), 0o755);
    await unwrap(machine.upload(from, to));
    expect((await readFile(join(to, 'sub', 'one'))).equals(manyBytes(500_000))).toBe(true);
    expect((await stat(join(to, 'run'))).mode & 0o100).not.toBe(0);
    const { ino } = await stat(to);
    await mkdir(join(to, '__pycache__'));
    await writeFile(join(to, '__pycache__', 'x.pyc'), '');
    await unwrap(machine.upload(from, to));
    expect((await stat(to)).ino).toBe(ino);
    await writeFile(join(from, 'sub', 'one'), 'two');
    await unwrap(machine.upload(from, to));
    expect(await readFile(join(to, 'sub', 'one'), 'utf8')).toBe('two');
    expect(await readdir(join(to, '..'))).toEqual(['to']);
    expect(await machine.upload(join(from, 'absent'), to)).toMatchObject({ ok: false });
    expect(await readFile(join(to, 'sub', 'one'), 'utf8')).toBe('two');
  });

  test('a single file is put there as well', async () => {
    const machine = await machineOf();
    const [from, to] = [join(await temporaryFolder(), 'from'), join(await temporaryFolder(), 'to')];
    await writeFile(from, manyBytes(100_000), { mode: 0o755 });
    await unwrap(machine.upload(from, to));
    expect((await readFile(to)).equals(manyBytes(100_000))).toBe(true);
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    const { ino } = await stat(to);
    await unwrap(machine.upload(from, to));
    expect((await stat(to)).ino).toBe(ino);
  });

  test('the workbench has its own folder in the home folder', async () => {
    const sshd = await startSshd();
    onTestFinished(sshd.stop);
    const { machine } = await connectedMachine(sshd);
    const home = await unwrap(machine.home());
    expect(home).toBe(join(sshd.home, '.mars2-workbench'));
    expect((await stat(home)).mode & 0o077).toBe(0);
  });
});

describe.skipIf(!hasSshd)('forwarding', () => {
  test('a port there is reached here, also for many at once and for large answers', async () => {
    const machine = await machineOf();
    const server = createServer((_request, response) => response.end(manyBytes(300_000))).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const forward = await unwrap(machine.forward(port));
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await fetch(`http://127.0.0.1:${forward.localPort}/`);
        return Buffer.from(await answer.arrayBuffer()).equals(manyBytes(300_000));
      }),
    );
    expect(answers).toEqual(Array(20).fill(true));
    forward.dispose();
    await expect(fetch(`http://127.0.0.1:${forward.localPort}/`)).rejects.toThrow();
  });

  test('a port without a listener can be forwarded', async () => {
    const machine = await machineOf();
    const forward = await unwrap(machine.forward(9));
    await expect(fetch(`http://127.0.0.1:${forward.localPort}/`)).rejects.toThrow();
    forward.dispose();
  });

  test('a server that forbids it is named', async () => {
    const machine = await machineOf({ forwarding: false });
    expect(await machine.forward(9)).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringContaining('forbids port forwarding') },
    });
  });
});
