import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLocalMachine, openTerminal } from '../../../main/machines';
import { eventually } from '../../support/eventually';
import { connectedMachine, type FleetBench, openFleet, sshSpec } from '../../support/fleet-bench';
import { hasNetworkNamespaces, makeNamespace } from '../../support/network-namespace';
import {
  freePort,
  hasSshd,
  hasSshdAccounts,
  hasSshdPty,
  joinedConfig,
  type Sshd,
  type SshdOptions,
  startSshd,
} from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

const local = createLocalMachine('/nowhere');

async function start(options: SshdOptions = {}): Promise<Sshd> {
  const sshd = await startSshd(options);
  onTestFinished(sshd.stop);
  return sshd;
}

async function fleetOf(sshd: Sshd): Promise<FleetBench> {
  return openFleet(sshd.sshArgs, [sshSpec(sshd)]);
}

/** The process of ssh that holds the connection. */
async function masterOf({ controlFolder }: FleetBench): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,args=']);
  const line = stdout.split('\n').find((one) => one.includes(' -M ') && one.includes(controlFolder));
  return Number(line?.trim().split(' ')[0]);
}

const unreachable = { ok: false, error: { code: 'unreachable' } };

describe.skipIf(!hasSshd)('a connection', () => {
  test('is made by the first call and reported step by step', async () => {
    const sshd = await start();
    const bench = await fleetOf(sshd);
    expect(bench.fleet.connection('lab')).toEqual({ kind: 'off' });
    const machine = await unwrap(bench.fleet.get('lab'));
    expect(await unwrap(machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
    expect(bench.states('lab')).toEqual(['connecting', 'connected']);
    expect((await sshd.log()).match(/Accepted publickey/g)).toHaveLength(1);
  });

  test('is one for all calls of all machines of its host', async () => {
    const sshd = await start();
    const defaults = { partition: '', account: '', minutes: 10, options: '' };
    const cluster = { kind: 'slurm' as const, id: 'cluster', name: 'C', host: sshd.host, defaults };
    const bench = await openFleet(sshd.sshArgs, [sshSpec(sshd), cluster]);
    const [lab, slurm] = [await unwrap(bench.fleet.get('lab')), await unwrap(bench.fleet.get('cluster'))];
    await Promise.all(Array.from({ length: 10 }, (_, i) => unwrap((i % 2 === 0 ? lab : slurm).run(':'))));
    const one = await unwrap(slurm.spawn('cat', []));
    one.kill();
    await one.ended;
    expect(slurm.spec.kind).toBe('slurm');
    expect((await sshd.log()).match(/Accepted publickey/g)).toHaveLength(1);

    bench.fleet.disconnect('lab');
    expect(bench.fleet.connection('lab')).toEqual({ kind: 'off' });
    expect(await lab.run(':')).toMatchObject(unreachable);
    expect(await unwrap(slurm.run('echo on'))).toMatchObject({ stdout: 'on\n' });
  });

  test('goes through another server', async () => {
    const jump = await start({ host: 'jump' });
    const sshd = await start({ via: jump });
    const { machine } = await connectedMachine(sshd);
    expect((await unwrap(machine.run('echo $SSH_CONNECTION'))).stdout).toContain(String(sshd.port));
    expect(await jump.log()).toContain('Accepted publickey');
  });

  test.skipIf(!hasSshdPty)(
    "does not conflict with the user's config, nor the config with it (needs root)",
    async () => {
      const folder = await temporaryFolder();
      const [marker, taken] = [join(folder, 'marker'), await freePort()];
      const holder = createServer().listen(taken, '127.0.0.1');
      onTestFinished(() => void holder.close());
      const sshd = await start({
        clientLines: [
          'RemoteCommand echo wrong; sleep 1000',
          'RequestTTY force',
          'ControlMaster auto',
          `ControlPath "${folder}/%C"`,
          'ControlPersist yes',
          'ExitOnForwardFailure yes',
          `LocalForward 127.0.0.1:${taken} 127.0.0.1:9`,
          'PermitLocalCommand yes',
          `LocalCommand touch "${marker}"`,
          'LogLevel QUIET',
          'ForkAfterAuthentication yes',
        ],
      });
      const { machine } = await connectedMachine(sshd);
      expect(await unwrap(machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
      const forward = await unwrap(machine.forward(9));
      forward.dispose();
      const { file, args, env } = machine.terminal('echo in a terminal; sleep 1000');
      const terminal = await unwrap(
        openTerminal({ shell: file, args, env, cwd: '/', columns: 80, rows: 24 }),
      );
      onTestFinished(() => terminal.dispose());
      let text = '';
      terminal.onData((more) => {
        text += more;
      });
      await eventually('the terminal', () => text.includes('in a terminal'));
      expect(text).not.toContain('wrong');
      expect(await unwrap(local.listFolder(folder))).toEqual([]);
    },
  );

  test('that the user closed stays closed until requested', async () => {
    const sshd = await start();
    const bench = await connectedMachine(sshd);
    bench.fleet.disconnect('lab');
    expect(await bench.machine.run(':')).toMatchObject(unreachable);
    bench.fleet.connect('lab');
    await bench.becomes('lab', 'connected');
    expect(await unwrap(bench.machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
  });
});

describe.skipIf(!hasSshd)('what ssh asks', () => {
  test('an unknown host key is shown and accepted by the user alone', async () => {
    const sshd = await start({ knownHost: false });
    const bench = await fleetOf(sshd);
    const machine = await unwrap(bench.fleet.get('lab'));
    expect(await machine.run(':')).toMatchObject(unreachable);
    const { prompt, terminalId, hostKey } = await bench.becomes('lab', 'needs-login');
    expect(prompt).toContain('Are you sure you want to continue connecting');
    expect(hostKey).toEqual({
      host: expect.stringContaining(`:${sshd.port}`),
      fingerprint: expect.stringMatching(/^ED25519 SHA256:[\w+/]{43}$/),
    });
    const login = bench.logins[0];
    expect(login).toMatchObject({ machineId: 'lab', terminalId });
    expect(login?.text()).toContain('fingerprint');
    login?.terminal.write('yes\r');
    await bench.becomes('lab', 'connected');
    expect(login?.isOver).toBe(true);
    expect(await readFile(sshd.knownHostsPath, 'utf8')).toContain(`:${sshd.port}`);
    expect(await unwrap(machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
  });

  test.skipIf(!hasSshdAccounts).each(['password', 'keyboard-interactive'] as const)(
    'a login by %s is typed in the terminal, wrong first',
    async (login) => {
      const password = "it's $ecret";
      const sshd = await start({ login, password });
      const bench = await fleetOf(sshd);
      bench.fleet.connect('lab');
      const { prompt } = await bench.becomes('lab', 'needs-login');
      expect(prompt.toLowerCase()).toContain('password');
      bench.logins[0]?.terminal.write('wrong\r');
      await eventually(
        'a second question',
        () => (bench.logins[0]?.text().match(/assword:/g) ?? []).length >= 2,
      );
      bench.logins[0]?.terminal.write(`${password}\r`);
      await bench.becomes('lab', 'connected');
      expect(bench.logins).toHaveLength(1);
      expect(bench.logins[0]?.text()).not.toContain(password);
    },
  );

  test.skipIf(!hasSshdAccounts)('a jump host and the machine behind it ask one after the other', async () => {
    const jump = await start({ host: 'jump', login: 'password', password: 'first' });
    const sshd = await start({ via: jump, login: 'password', password: 'second' });
    const bench = await fleetOf(sshd);
    bench.fleet.connect('lab');
    const prompts: string[] = [];
    const since = new Set<string>();
    for (const password of ['first', 'second']) {
      await eventually(`a question for ${password}`, () => {
        const connection = bench.fleet.connection('lab');
        if (connection.kind !== 'needs-login' || prompts.includes(connection.prompt + password)) return false;
        if (bench.logins[0]?.text().split('assword:').length !== prompts.length + 2) return false;
        prompts.push(connection.prompt + password);
        since.add(connection.since);
        return true;
      });
      bench.logins[0]?.terminal.write(`${password}\r`);
    }
    await bench.becomes('lab', 'connected');
    expect(bench.logins).toHaveLength(1);
    // It is one login: the window keeps it in front of another machine's between the two.
    expect(since.size).toBe(1);
  });

  test.skipIf(!hasSshdAccounts)('a login that nobody finishes is not retried automatically', async () => {
    const sshd = await start({ login: 'password', password: 'x' });
    const bench = await fleetOf(sshd);
    bench.fleet.connect('lab');
    await bench.becomes('lab', 'needs-login');
    bench.logins[0]?.terminal.write('\u0003');
    const { nextTryAt, message } = await bench.becomes('lab', 'unreachable');
    expect(nextTryAt).toBeNull();
    expect(message).toContain('not completed');
  });
});

describe.skipIf(!hasSshd)('what does not connect is named', () => {
  test('a changed host key, with the command to type, and no automatic retry', async () => {
    const sshd = await start();
    const bench = await connectedMachine(sshd);
    bench.fleet.disconnect('lab');
    await sshd.changeHostKey();
    bench.fleet.connect('lab');
    const { message, hint, nextTryAt } = await bench.becomes('lab', 'unreachable');
    expect(message).toContain('host key of lab has changed');
    expect(hint).toContain(`ssh-keygen -f ${sshd.knownHostsPath} -R`);
    expect(nextTryAt).toBeNull();
  });

  test('a refused login, and no automatic retry', async () => {
    const sshd = await start({ serverLines: ['AuthorizedKeysFile /dev/null'] });
    const bench = await fleetOf(sshd);
    bench.fleet.connect('lab');
    const { message, nextTryAt, refusal } = await bench.becomes('lab', 'unreachable');
    expect(refusal).toBe('login-refused');
    expect(message).toContain('refused the login');
    expect(nextTryAt).toBeNull();
  });

  test('a closed port and an unknown name, and they are tried again', async () => {
    const folder = await temporaryFolder();
    const config = join(folder, 'config');
    await writeFile(
      config,
      `Host closed\n HostName 127.0.0.1\n Port ${await freePort()}\nHost unknown\n HostName no-such-host.invalid\n`,
    );
    const bench = await openFleet(
      ['-F', config],
      [sshSpec({ host: 'closed' }, 'closed'), sshSpec({ host: 'unknown' }, 'unknown')],
    );
    for (const [id, words] of [
      ['closed', 'no ssh server answers'],
      ['unknown', 'there is no host named no-such-host.invalid'],
    ] as const) {
      const answer = await unwrap(bench.fleet.get(id)).then((machine) => {
        bench.fleet.connect(id);
        return machine;
      });
      const { message, nextTryAt, lastSeenAt } = await bench.becomes(id, 'unreachable');
      expect(message).toContain(words);
      expect(nextTryAt).not.toBeNull();
      expect(lastSeenAt).toBeNull();
      expect(await answer.run(':')).toMatchObject(unreachable);
    }
  });

  test('a computer without ssh', async () => {
    const sshd = await start();
    const bench = await openFleet(sshd.sshArgs, [sshSpec(sshd)], { program: '/no/such/ssh' });
    bench.fleet.connect('lab');
    expect((await bench.becomes('lab', 'unreachable')).message).toContain(
      'ssh is not installed on this computer',
    );
  });
});

describe.skipIf(!hasSshd)('a cut', () => {
  test('of the connection: calls under way have an unknown outcome, and it reconnects', async () => {
    const sshd = await start();
    const bench = await connectedMachine(sshd);
    const folder = await temporaryFolder();
    const process_ = await unwrap(bench.machine.spawn('sh', ['-c', 'sleep 1000 & echo $!; wait']));
    process_.stderr.resume();
    const [text] = await once(process_.stdout, 'data');
    const answer = bench.machine.run(`printf half; touch '${folder}/begun'; sleep 1000`);
    await expect.poll(() => unwrap(local.listFolder(folder))).toEqual(['begun']);
    process.kill(await masterOf(bench), 'SIGKILL');
    expect(await answer).toMatchObject(unreachable);
    expect(await process_.ended).toEqual({ code: null });
    await bench.becomes('lab', 'unreachable');
    await bench.becomes('lab', 'connected');
    expect(await unwrap(bench.machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
    // What was attached has ended there as well.
    await expect
      .poll(() => unwrap(local.processIdentity(Number(String(text)))), { timeout: 120_000 })
      .toBeNull();
  });

  test('and more of them: every answer is complete, or its outcome unknown', async () => {
    const sshd = await start();
    const bench = await connectedMachine(sshd);
    const whole = Array.from({ length: 5_000 }, (_, i) => `${i + 1}\n`).join('');
    const kinds = new Set<string>();
    let isOver = false;
    const ask = async () => {
      while (!isOver) {
        const [answer, read] = [
          await bench.machine.run('seq 1 5000'),
          await bench.machine.readText('/etc/passwd'),
        ];
        if (answer.ok) expect(answer.value).toEqual({ code: 0, stdout: whole, stderr: '' });
        else expect(answer.error.code).toBe('unreachable');
        if (read.ok) expect(read.value).toMatch(/\n$/);
        else expect(read.error.code).toBe('unreachable');
        kinds.add(answer.ok ? 'whole' : 'unknown');
      }
    };
    const asking = Promise.all(Array.from({ length: 5 }, ask));
    for (let cut = 0; cut < 5; cut++) {
      await bench.becomes('lab', 'connected');
      if (cut % 2 === 0) process.kill(await masterOf(bench), 'SIGKILL');
      else await sshd.killSessions();
      await bench.becomes('lab', 'unreachable');
    }
    await bench.becomes('lab', 'connected');
    isOver = true;
    await asking;
    expect([...kinds].sort()).toEqual(['unknown', 'whole']);
  });

  test('by a server that goes down and comes back', async () => {
    const sshd = await start();
    const bench = await connectedMachine(sshd);
    const answer = bench.machine.run('sleep 1000');
    await sshd.down();
    expect(await answer).toMatchObject(unreachable);
    const { lastSeenAt, nextTryAt } = await bench.becomes('lab', 'unreachable');
    expect(lastSeenAt).not.toBeNull();
    expect(nextTryAt).not.toBeNull();
    await sshd.up();
    await bench.becomes('lab', 'connected');
    expect(await unwrap(bench.machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
  });

  test('by a server that hangs is noticed, and calls end', async () => {
    const sshd = await start();
    const bench = await connectedMachine(sshd);
    const answers = Promise.all([
      bench.machine.run('sleep 1000'),
      bench.machine.readText('/etc/hostname'),
      bench.machine.groupMembers(1),
    ]);
    await sshd.freeze();
    const late = bench.machine.run('echo on');
    for (const answer of await answers) if (!answer.ok) expect(answer.error.code).toBe('unreachable');
    expect(await late).toMatchObject(unreachable);
    await bench.becomes('lab', 'unreachable');
    await sshd.thaw();
    await bench.becomes('lab', 'connected');
    expect(await unwrap(bench.machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
  });

  test.skipIf(!hasNetworkNamespaces)(
    'by a network that loses everything is noticed, and reconnects when the network is back',
    async () => {
      const network = await makeNamespace();
      onTestFinished(network.remove);
      const sshd = await start({ network });
      const bench = await connectedMachine(sshd);
      const answer = bench.machine.run('sleep 1000');
      await network.loseAll();
      expect(await answer).toMatchObject(unreachable);
      const { message, nextTryAt } = await bench.becomes('lab', 'unreachable');
      expect(message).toContain('does not answer');
      expect(nextTryAt).not.toBeNull();
      await network.loseNone();
      await bench.becomes('lab', 'connected');
      expect(await unwrap(bench.machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
    },
  );

  test('keeps the port of a forward', async () => {
    const sshd = await start();
    const bench = await connectedMachine(sshd);
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const forward = await unwrap(bench.machine.forward(port));
    onTestFinished(forward.dispose);
    const ask = async () => (await fetch(`http://127.0.0.1:${forward.localPort}/`)).text();
    expect(await ask()).toBe('hello');
    await sshd.down();
    await bench.becomes('lab', 'unreachable');
    await expect(ask()).rejects.toThrow();
    await sshd.up();
    await bench.becomes('lab', 'connected');
    await expect.poll(() => ask().catch(String)).toBe('hello');
  });

  test('is noticed at once by who wakes the fleet', async () => {
    const sshd = await start();
    // Without signs of life the connection would hang for hours.
    const bench = await openFleet(sshd.sshArgs, [sshSpec(sshd)], { beatMs: 1_000_000 });
    const machine = await unwrap(bench.fleet.get('lab'));
    await unwrap(machine.run(':'));
    await sshd.freeze();
    const answer = machine.run('echo on');
    bench.fleet.wake();
    await bench.becomes('lab', 'unreachable');
    expect(await answer).toMatchObject(unreachable);
    await sshd.thaw();
    await bench.becomes('lab', 'connected');
  });

  test('leaves what was started detached alone', async () => {
    const sshd = await start();
    const bench = await connectedMachine(sshd);
    const { pid } = await unwrap(
      bench.machine.spawnDetached({ command: 'sleep', args: ['1000'], cwd: '/', env: {} }),
    );
    onTestFinished(() => void process.kill(pid, 'SIGKILL'));
    const mark = await unwrap(bench.machine.processIdentity(pid));
    await sshd.down();
    await bench.becomes('lab', 'unreachable');
    await sshd.up();
    await bench.becomes('lab', 'connected');
    expect(await unwrap(bench.machine.processIdentity(pid))).toBe(mark);
  });
});

describe.skipIf(!hasSshd)('the list of machines', () => {
  test('is kept, and what is no machine is refused', async () => {
    const sshd = await start();
    const { fleet } = await openFleet(sshd.sshArgs, []);
    const lab = sshSpec(sshd);
    expect(fleet.specs().map(({ id }) => id)).toEqual(['local']);
    await unwrap(fleet.add(lab));
    expect(await fleet.add(lab)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await fleet.add({ ...lab, id: 'x', host: '-oProxyCommand=x' } as typeof lab)).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
    expect(await fleet.add({ kind: 'local', id: 'second', name: 'x' })).toMatchObject({ ok: false });
    await unwrap(fleet.change({ ...lab, name: 'Another name' }));
    expect((await unwrap(fleet.get('lab'))).spec.name).toBe('Another name');
    expect(await fleet.change({ ...lab, id: 'absent' })).toMatchObject({ ok: false });
    expect(await fleet.remove('local')).toMatchObject({ ok: false, error: { code: 'not-allowed' } });
    await unwrap((await unwrap(fleet.get('lab'))).run(':'));
    const machine = await unwrap(fleet.get('lab'));
    await unwrap(fleet.remove('lab'));
    expect(fleet.get('lab')).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(await machine.run(':')).toMatchObject(unreachable);
    expect((await unwrap(fleet.get('local'))).id).toBe('local');
    expect(fleet.connection('local')).toMatchObject({ kind: 'connected' });
  });

  test('a cluster that is asked on this computer needs no connection', async () => {
    const { fleet } = await openFleet([], []);
    const defaults = { partition: '', account: '', minutes: 10, options: '' };
    await unwrap(fleet.add({ kind: 'slurm', id: 'cluster', name: 'C', host: null, defaults }));
    const machine = await unwrap(fleet.get('cluster'));
    expect([machine.id, machine.spec.kind, fleet.connection('cluster').kind]).toEqual([
      'cluster',
      'slurm',
      'connected',
    ]);
    expect(await unwrap(machine.run('echo on'))).toMatchObject({ stdout: 'on\n' });
  });

  test('hosts are those that the config names, its Includes too, without patterns', async () => {
    const [one, two] = [await start({ host: 'gpu-a' }), await start({ host: 'gpu-b' })];
    const folder = await temporaryFolder();
    const config = join(folder, 'config');
    const included = join(folder, 'more.conf');
    await joinedConfig(config, [one, two]);
    await writeFile(included, 'Host login !bad *.lab gpu-a\n  User x\nMatch all\n');
    await appendFile(config, `Include "${folder}/*.conf"\nHost *\n  Compression yes\n`);
    const { fleet } = await openFleet(['-F', config], []);
    expect(await fleet.hosts()).toEqual(['gpu-a', 'gpu-b', 'login']);
  });
});
