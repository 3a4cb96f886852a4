import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTerminal } from '../../../main/machines';
import { eventually } from '../../support/eventually';
import { connectedMachine, openFleet, sshSpec } from '../../support/fleet-bench';
import { hasSshdAccounts, type SshdOptions, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const NOISE = 'echo "Welcome to the lab"; echo "mind the gap" >&2; cat /etc/hostname\n';

/** All that goes through a shell in some way, once. In a terminal some rc files want an answer from the user. */
async function tryAll(options: SshdOptions, withTerminal = true): Promise<void> {
  const sshd = await startSshd(options);
  onTestFinished(sshd.stop);
  const { machine } = await connectedMachine(sshd);
  const words = 'a \'b\' "c" $HOME `x` !! \\ \n ü';
  const end = await unwrap(machine.run('cat; printf %s "$0" >&2; exit 4', { stdin: words }));
  expect(end).toMatchObject({ code: 4, stdout: words });
  const one = await unwrap(machine.spawn('printf', ['%s', words]));
  let out = '';
  one.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  one.stderr.resume();
  expect(await one.ended).toEqual({ code: 0 });
  expect(out).toBe(words);
  const folder = await temporaryFolder();
  await unwrap(machine.writeText(join(folder, 'f'), words));
  expect(await unwrap(machine.readText(join(folder, 'f')))).toBe(words);
  const other = await temporaryFolder();
  await unwrap(machine.upload(folder, join(other, 'a', 'copy')));
  expect(await unwrap(machine.listFolder(join(other, 'a', 'copy')))).toEqual(['f']);
  const slice = await unwrap(machine.readSlice(join(folder, 'f'), -4, 2));
  expect([slice?.size, Buffer.from(slice?.bytes ?? []).toString()]).toEqual([
    Buffer.byteLength(words),
    '\n ',
  ]);
  const hung = await machine.run('sleep 1000', { timeoutMs: 300 });
  expect(hung).toMatchObject({ ok: false, error: { code: 'unavailable' } });
  const { pid } = await unwrap(
    machine.spawnDetached({ command: 'sleep', args: ['1000'], cwd: folder, env: { A: words } }),
  );
  expect(await unwrap(machine.groupMembers(pid))).toEqual([pid]);
  await unwrap(machine.signalGroup(pid, 'SIGKILL'));

  if (!withTerminal) return;
  const shown = await openTerminal({
    shell: machine.terminal(null).file,
    args: machine.terminal(`printf '<%s>' "it's"; sleep 1000`).args,
    cwd: '/',
    env: {},
    columns: 80,
    rows: 24,
  });
  const terminal = await unwrap(shown);
  onTestFinished(() => terminal.dispose());
  let text = '';
  terminal.onData((more) => {
    text += more;
  });
  await eventually('the terminal', () => text.includes("<it's>"));
}

describe.skipIf(!hasSshdAccounts)('a machine works with', () => {
  const names = ['sh', 'bash', 'dash', 'zsh', 'fish', 'tcsh', 'ksh'];
  // By hand, others too, e.g. an old bash that was compiled for it: their paths, with a colon between them.
  const others = process.env.MARS2_TEST_SHELLS?.split(':') ?? [];
  const shells = [...names.map((name) => `/usr/bin/${name}`), ...others];
  for (const loginShell of shells)
    test.skipIf(!existsSync(loginShell))(
      `the login shell ${loginShell}, which has a lot to say`,
      async () => {
        const homeFiles = {
          '.bashrc': NOISE,
          '.zshenv': NOISE,
          '.cshrc': 'echo "Welcome to the lab"\nset nonomatch\n',
          '.config/fish/config.fish': NOISE,
          '.kshrc': NOISE,
        };
        await tryAll({ loginShell, homeFiles });
      },
    );

  test('an rc file that waits for an answer', async () => {
    const homeFiles = { '.bashrc': 'read -p "Which project? " project\n' };
    await tryAll({ loginShell: '/bin/bash', homeFiles }, false);
  });

  test('an rc file that takes its time', async () => {
    await tryAll({ loginShell: '/bin/bash', homeFiles: { '.bashrc': 'sleep 2; echo slow\n' } });
  });

  test.skipIf(!existsSync('/usr/bin/zsh'))(
    'an rc file that replaces the shell with another one',
    async () => {
      await tryAll({ loginShell: '/bin/bash', homeFiles: { '.bashrc': 'exec zsh\n' } }, false);
    },
  );

  /** A folder of programs that is all a session there can find. */
  async function pathOf(programs: readonly (readonly [string, string])[]): Promise<string> {
    // Without the space of other temporary folders: it goes into an rc file as it is.
    const folder = await mkdtemp('/tmp/m2path-');
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const [name, target] of programs) await symlink(target, join(folder, name));
    return folder;
  }
  const COMMON = ['cat', 'chmod', 'dirname', 'find', 'head', 'ls', 'mkdir', 'mv', 'printf', 'rm', 'rmdir'];
  const MORE = ['sleep', 'stat', 'tail', 'tar', 'touch', 'true', 'nohup'];

  test.skipIf(!existsSync('/usr/bin/busybox'))("tools that are busybox's alone", async () => {
    const names = [...COMMON, ...MORE, 'setsid', 'timeout', 'sha256sum', 'ps'];
    const path = await pathOf(names.map((name) => [name, '/usr/bin/busybox']));
    await tryAll({ loginShell: '/bin/bash', homeFiles: { '.bashrc': `PATH=${path}\n` } });
  });

  for (const tool of ['perl', 'python3'])
    test.skipIf(!existsSync(`/usr/bin/${tool}`))(`no setsid and no timeout, but ${tool}`, async () => {
      const names = [...COMMON, ...MORE, tool];
      const path = await pathOf(names.map((name) => [name, `/usr/bin/${name}`]));
      await tryAll({ loginShell: '/bin/bash', homeFiles: { '.bashrc': `PATH=${path}\n` } });
    });

  test('a greeting before and after the login', async () => {
    const folder = await temporaryFolder();
    const banner = join(folder, 'banner');
    await writeFile(banner, 'Authorised users only.\nEverything is recorded.\n');
    await chmod(folder, 0o755);
    await tryAll({ serverLines: [`Banner "${banner}"`, 'PrintLastLog yes'] });
  });

  test('a server that has room for three sessions', async () => {
    const sshd = await startSshd({ serverLines: ['MaxSessions 3'] });
    onTestFinished(sshd.stop);
    const { machine } = await connectedMachine(sshd);
    const ends = await Promise.all(
      Array.from({ length: 20 }, (_, i) => unwrap(machine.run(`sleep 0.05; echo ${i}`))),
    );
    expect(ends.map(({ stdout }) => stdout)).toEqual(Array.from({ length: 20 }, (_, i) => `${i}\n`));
    const one = await unwrap(machine.spawn('cat', []));
    one.stderr.resume();
    expect(await machine.spawn('cat', [])).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringContaining('sessions') },
    });
    expect(await unwrap(machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
    one.kill();
    await one.ended;
  });

  test('a server that has room for one session', async () => {
    const sshd = await startSshd({ serverLines: ['MaxSessions 1'] });
    onTestFinished(sshd.stop);
    const { machine } = await connectedMachine(sshd);
    const folder = await temporaryFolder();
    await unwrap(machine.writeText(join(folder, 'f'), 'x'));
    expect(await unwrap(machine.listFolder(folder))).toEqual(['f']);
    expect(await machine.spawn('cat', [])).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringContaining('sessions') },
    });
  });

  test('no account that only refuses: that is named, with its words', async () => {
    const sshd = await startSshd({ loginShell: '/usr/sbin/nologin' });
    onTestFinished(sshd.stop);
    const bench = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
    bench.fleet.connect('lab');
    const { message, nextTryAt } = await bench.becomes('lab', 'unreachable');
    expect(message).toContain('not available');
    expect(nextTryAt).toBeNull();
  });
});
