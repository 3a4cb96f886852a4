import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openTerminal } from '../../../main/machines';
import { eventually } from '../../support/eventually';
import { temporaryFolder } from '../../support/temporary-folder';
import {
  localMachines,
  machineWithoutTmux,
  openService,
  openShell,
  ownSocket,
  watch,
} from '../../support/terminal-bench';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const LINES = 60_000;

function sessions(socket: string): string[] {
  const output = spawnSync('tmux', ['-L', socket, 'list-sessions', '-F', '#{session_name}'], {
    encoding: 'utf8',
  });
  return output.stdout.split('\n').filter(Boolean);
}

/** Process numbers of what is attached to sessions of a socket. */
function clients(socket: string): number[] {
  const output = execFileSync('tmux', ['-L', socket, 'list-clients', '-F', '#{client_pid}'], {
    encoding: 'utf8',
  });
  return output.split('\n').filter(Boolean).map(Number);
}

function processIsThere(pid: number): boolean {
  return spawnSync('kill', ['-0', String(pid)]).status === 0;
}

/** What `seq 1 n` writes through a terminal. */
function counted(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\r\n`).join('');
}

describe.each([
  { kind: 'with tmux', machine: undefined, skip: !hasTmux, durable: true },
  { kind: 'without tmux', machine: machineWithoutTmux, skip: false, durable: false },
])('a shell $kind', ({ machine, skip, durable }) => {
  const service = () => openService(ownSocket(), localMachines(machine?.()));

  test.skipIf(skip)('shows what is typed and answers it, in every alphabet', async () => {
    const terminals = service();
    const shell = await openShell(terminals);
    terminals.write(shell.id, 'printf "%s|%s\\n" "grüße 漢字 🙂" back\\\\slash\r');
    await eventually('the answer', () => shell.text().includes('grüße 漢字 🙂|back\\slash\r\n'));
    expect(terminals.list()).toMatchObject([{ durable, state: { kind: 'open' }, title: 'This computer' }]);
  });

  test.skipIf(skip)('has the size of its window, and follows it', async () => {
    const terminals = service();
    const shell = await openShell(terminals);
    terminals.write(shell.id, 'stty size\r');
    await eventually('the first size', () => shell.text().includes('24 80\r\n'));
    terminals.resize(shell.id, { columns: 101, rows: 33 });
    await eventually('the new size', () => {
      terminals.write(shell.id, 'stty size\r');
      return shell.text().includes('33 101\r\n');
    });
  });

  test.skipIf(skip)('a flood arrives complete, and a slow reader pauses it without loss', async () => {
    const terminals = service();
    const shell = await openShell(terminals);
    shell.slow = true;
    const before = shell.offset();
    terminals.write(shell.id, `seq 1 ${LINES}; echo do''ne; sleep 1000\r`);
    await eventually('a full pipe', () => shell.offset() - before > 200_000);
    let seen = -1;
    await eventually('a halt', async () => {
      const still = seen === shell.offset();
      seen = shell.offset();
      await new Promise((resolve) => setTimeout(resolve, 150));
      return still;
    });
    expect(shell.text()).not.toContain('done');
    shell.slow = false;
    terminals.acknowledge(shell.id, shell.offset() - before);
    await eventually('the end', () => shell.text().includes('done\r\n'));
    expect(shell.text().includes(counted(1, LINES))).toBe(true);
  });

  test.skipIf(skip)(
    'a window that is opened again gets what the last one saw, and continues without a gap',
    async () => {
      const terminals = service();
      const shell = await openShell(terminals);
      terminals.write(shell.id, 'seq 1 3000\r');
      await eventually('some output', () => shell.text().includes('2000\r\n'));
      const attached = await terminals.attach(shell.id);
      if (!attached.ok) throw new Error(attached.error.message);
      const again = watch(terminals, attached.value);
      await eventually('the rest', () => again.text().includes('3000\r\n'));
      await eventually('the same for both', () => again.offset() === shell.offset());
      expect(again.text()).toBe(shell.text());
    },
  );

  test.skipIf(skip)(
    'without a reader the program continues, and a later reader sees its last output',
    async () => {
      const terminals = openService(ownSocket(), localMachines(machine?.()), 100);
      const shell = await openShell(terminals);
      shell.slow = true;
      const folder = await temporaryFolder();
      terminals.write(shell.id, `seq 1 400000; echo do""ne; touch "${folder}/done"\r`);
      await eventually('the end of the program', () => existsSync(`${folder}/done`));
      // It is connected after all, and learns that it has missed output.
      terminals.acknowledge(shell.id, 1);
      expect(shell.gaps).toBe(1);
      const text = await eventually('the last output', async () => {
        const attached = await terminals.attach(shell.id);
        return attached.ok && attached.value.text.includes('done\r\n') && attached.value.text;
      });
      expect(text.includes(counted(360_000, 400_000))).toBe(true);
    },
  );

  test.skipIf(skip)('closing ends the shell and all that it holds', async () => {
    const terminals = service();
    const shell = await openShell(terminals);
    // In the foreground: what was put behind the shell is hung up by some shells (bash) and left by others (dash).
    terminals.write(shell.id, `sh -c 'echo pid=$$=; exec sleep 1000'\r`);
    const pid = await eventually('the pid', () => /pid=(\d+)=/.exec(shell.text())?.[1] ?? null);
    expect(await terminals.close(shell.id)).toEqual({ ok: true, value: null });
    expect(terminals.list()).toEqual([]);
    await eventually('the end of the process', () => !processIsThere(Number(pid)));
    expect(terminals.write(shell.id, 'x')).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });

  test.skipIf(skip)('a shell that exits is shown as ended, and takes no more keys', async () => {
    const terminals = service();
    const shell = await openShell(terminals);
    terminals.write(shell.id, 'exit 3\r');
    await eventually('the end', () => terminals.list()[0]?.state.kind === 'ended');
    expect(terminals.write(shell.id, 'x')).toMatchObject({ ok: false, error: { code: 'conflict' } });
    await terminals.close(shell.id);
    expect(terminals.list()).toEqual([]);
  });
});

describe.skipIf(!hasTmux)('a shell that tmux holds', () => {
  test('continues when its connection is cut, and is drawn in its current state afterwards', async () => {
    const socket = ownSocket();
    const machines = localMachines();
    const terminals = openService(socket, machines);
    const shell = await openShell(terminals);
    terminals.write(shell.id, 'for i in 1 2 3 4 5 6; do echo line $i; sleep 0.2; done; echo af""ter\r');
    await eventually('its beginning', () => shell.text().includes('line 1\r\n'));
    machines.become('unreachable');
    for (const pid of clients(socket)) process.kill(pid, 'SIGKILL');
    await eventually('detached', () => terminals.list()[0]?.state.kind === 'detached');
    expect(terminals.write(shell.id, 'x')).toMatchObject({ ok: false, error: { code: 'unreachable' } });
    expect(await terminals.attach('nobody')).toMatchObject({ ok: false, error: { code: 'not-found' } });
    machines.become('connected');
    await eventually('open again', () => terminals.list()[0]?.state.kind === 'open');
    // What a new window is given begins with the redrawn screen: nothing stands there twice.
    const text = await eventually('what it wrote meanwhile, redrawn', async () => {
      const attached = await terminals.attach(shell.id);
      return attached.ok && attached.value.text.includes('after') ? attached.value.text : null;
    });
    for (let line = 1; line <= 6; line++) expect(text.split(`line ${line}`)).toHaveLength(2);
    terminals.write(shell.id, 'echo ty""ped\r');
    await eventually('its answer', () => shell.text().includes('typed\r\n'));
  });

  test('is attached to again at once when only its client was killed', async () => {
    const socket = ownSocket();
    const terminals = openService(socket);
    const shell = await openShell(terminals);
    await eventually('the prompt', () => shell.text().endsWith('> '));
    const before = shell.text().length;
    for (const pid of clients(socket)) process.kill(pid, 'SIGKILL');
    // What erases the scrollback begins a redraw.
    await eventually('a redraw', () => shell.text().slice(before).includes('\u001b[3J'));
    terminals.write(shell.id, 'echo he""re\r');
    await eventually('an answer', () => shell.text().includes('here\r\n'));
  });

  test('is found again by the next start of the app, with its history', async () => {
    const socket = ownSocket();
    const first = openService(socket);
    const shell = await openShell(first);
    first.write(shell.id, 'seq 100 400; cd /usr; printf "\\033[31mred\\033[0m\\n"\r');
    await eventually('its work', () => shell.text().includes('red'));
    first.dispose();
    expect(sessions(socket)).toHaveLength(1);

    const second = openService(socket);
    await eventually('the shell', () => second.list()[0]?.state.kind === 'open');
    expect(second.list()).toMatchObject([{ id: shell.id, durable: true, purpose: 'shell' }]);
    const attached = await eventually('its screen', async () => {
      const answer = await second.attach(shell.id);
      return answer.ok && answer.value.text.includes('red') && answer.value;
    });
    const again = watch(second, attached);
    expect(again.text()).toContain('100\r\n101\r\n102\r\n');
    expect(again.text()).toContain('\u001b[31mred');
    second.write(shell.id, 'pwd\r');
    await eventually('the same shell', () => again.text().includes('/usr\r\n'));
  });

  test('those of another data folder on the same account are left alone', async () => {
    const socket = ownSocket();
    execFileSync('tmux', [
      '-L',
      socket,
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-s',
      'feedf00d_local_1',
      'sleep 100',
    ]);
    const machines = localMachines();
    const terminals = openService(socket, machines);
    await openShell(terminals);
    machines.become('connected');
    expect(terminals.list()).toHaveLength(1);
    expect(sessions(socket)).toHaveLength(2);
  });

  test('a program that draws the whole screen is drawn whole again, and what was below it comes back', async () => {
    const socket = ownSocket();
    const first = openService(socket);
    const shell = await openShell(first);
    first.write(
      shell.id,
      'echo be""low; printf "\\033[?1049h\\033[2J\\033[5;7Hmid\\033[?1000h\\033[?1006h\\033[3;4H"; read x; printf "\\033[?1000l\\033[?1049l"\r',
    );
    await eventually('the screen', () => shell.text().includes('mid'));
    first.dispose();
    const second = openService(socket);
    const attached = await eventually('its screen', async () => {
      const answer = await second.attach(shell.id);
      return answer.ok && answer.value.text.includes('mid') && answer.value;
    });
    const [primary = '', alternate = ''] = attached.text.split('\x1b[?1049h');
    expect(primary).toContain('below');
    expect(alternate).toContain('\x1b[5;1H      mid');
    expect(alternate).toContain('\x1b[3;4H');
    expect(alternate).toContain('\x1b[?1000h');
  });

  test("does not say that it is in tmux, so that a tmux of one's own can be run in it", async () => {
    const terminals = openService(ownSocket());
    const shell = await openShell(terminals);
    terminals.write(shell.id, 'echo "<$TMUX|$TERM>"\r');
    await eventually('the answer', () => shell.text().includes('<|xterm-256color>'));
  });

  test('a long paste is typed whole', async () => {
    const terminals = openService(ownSocket());
    const shell = await openShell(terminals);
    const lines = Array.from({ length: 2_000 }, (_, at) => `line ${at} äöü`).join('\r');
    terminals.write(shell.id, 'cat > /dev/null; echo got\r');
    terminals.write(shell.id, `${lines}\r\u0004`);
    await eventually('its end', () => shell.text().includes('got\r\n'));
  });
});

test('without tmux a terminal says that it ends with the connection', async () => {
  const terminals = openService(ownSocket(), localMachines(machineWithoutTmux()));
  await openShell(terminals);
  expect(terminals.list()).toMatchObject([{ durable: false }]);
  terminals.dispose();
});

test('terminals of one machine have names that differ, and a freed name is given again', async () => {
  const terminals = openService(ownSocket(), localMachines(machineWithoutTmux()));
  const first = await openShell(terminals);
  await openShell(terminals);
  expect(terminals.list().map(({ title }) => title)).toEqual(['This computer', 'This computer 2']);
  await terminals.close(first.id);
  await openShell(terminals);
  expect(terminals.list().map(({ title }) => title)).toEqual(['This computer 2', 'This computer']);
});

test('a login is listed while it lasts, with what it had asked before, and lives on after it', async () => {
  const terminals = openService(ownSocket());
  const opened = await openTerminal({
    shell: '/bin/sh',
    args: ['-c', 'read secret; echo "got $secret"; sleep 100'],
    cwd: '/',
    env: {},
    columns: 80,
    rows: 24,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const login = terminals.adopt(opened.value, {
    machineId: 'local',
    title: 'Login',
    purpose: 'login',
    shown: "lab@gpu-a's password: ",
  });
  const attached = await terminals.attach(login.terminalId);
  if (!attached.ok) throw new Error(attached.error.message);
  expect(attached.value).toMatchObject({ text: "lab@gpu-a's password: ", view: { purpose: 'login' } });
  const shown = watch(terminals, attached.value);
  terminals.write(login.terminalId, 'word\r');
  await eventually('the login', () => shown.text().includes('got word'));
  login.dispose();
  expect(terminals.list()).toEqual([]);
  expect(processIsThere(opened.value.pid)).toBe(true);
  opened.value.dispose();
});

test('an unknown machine is refused', async () => {
  const terminals = openService(ownSocket());
  expect(await terminals.open('nowhere', { columns: 80, rows: 24 })).toMatchObject({
    ok: false,
    error: { code: 'not-found' },
  });
});
