import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMachineMonitor, type MachineMonitor } from '../../../main/machines';
import type { DoctorCheck } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { type FleetBench, openFleet, sshSpec } from '../../support/fleet-bench';
import { hasSshd, hasSshdAccounts, type Sshd, type SshdOptions, startSshd } from '../../support/sshd';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

type Bench = FleetBench & {
  readonly sshd: Sshd;
  readonly monitor: MachineMonitor;
  readonly passMs: (ms: number) => void;
};

async function overSsh(options: SshdOptions = {}): Promise<Bench> {
  const sshd = await startSshd(options);
  onTestFinished(sshd.stop);
  const bench = await openFleet(sshd.sshArgs, [sshSpec(sshd)]);
  let lateMs = 0;
  const monitor = createMachineMonitor({
    fleet: bench.fleet,
    clock: { now: () => Date.now() + lateMs },
    reservationRoot: await temporaryFolder(),
  });
  onTestFinished(() => monitor.dispose());
  return {
    ...bench,
    sshd,
    monitor,
    passMs: (ms) => {
      lateMs += ms;
    },
  };
}

const examine = (monitor: MachineMonitor): Promise<readonly DoctorCheck[]> =>
  unwrap(monitor.doctor('lab', () => undefined, new AbortController().signal));
const check = (checks: readonly DoctorCheck[], id: string) => checks.find((one) => one.id === id);

describe.skipIf(!hasSshd)('over a real sshd (needs openssh-server)', () => {
  test('a machine is probed as soon as it is connected', async () => {
    const { fleet, monitor, sshd } = await overSsh();
    fleet.connect('lab');
    const facts = await eventually('facts', async () => (await unwrap(monitor.view('lab'))).facts);
    expect(facts).toMatchObject({ user: sshd.user, home: sshd.home });
    expect(await unwrap(monitor.view('lab'))).toMatchObject({
      connection: { kind: 'connected' },
      gpus: null,
    });
  });

  test('a machine that goes down keeps its last view, and is probed again when it is back', async () => {
    const { monitor, sshd, becomes, passMs } = await overSsh();
    const before = await unwrap(monitor.probe('lab'));
    await sshd.down();
    await becomes('lab', 'unreachable');
    expect(await unwrap(monitor.view('lab'))).toEqual({
      ...before,
      connection: expect.objectContaining({ kind: 'unreachable' }),
    });
    passMs(5_000);
    expect(await monitor.probe('lab')).toMatchObject({ ok: false, error: { code: 'unreachable' } });

    const connections: string[] = [];
    monitor.onChange(({ connection }) => connections.push(connection.kind));
    await sshd.up();
    await becomes('lab', 'connected');
    await eventually('a look', () => connections.lastIndexOf('connected') > connections.indexOf('connected'));
    await unwrap(monitor.probe('lab'));
  });

  test('the doctor really forwards a port', async () => {
    const { monitor } = await overSsh();
    const checks = await examine(monitor);
    expect(check(checks, 'forwarding')).toEqual({
      id: 'forwarding',
      title: 'Forwarding over ssh',
      state: 'good',
      found: 'A program that listens there was reached from here.',
      todo: null,
    });
    expect(check(checks, 'detach')).toMatchObject({ state: 'good' });
    expect(check(checks, 'clock')).toMatchObject({ state: 'good' });
    expect(checks.filter(({ state }) => state === 'unknown').map(({ id }) => id)).toEqual([]);
  });

  test('a server that forbids forwarding is detected, and everything else works', async () => {
    const { monitor } = await overSsh({ forwarding: false });
    const checks = await examine(monitor);
    expect(check(checks, 'forwarding')).toMatchObject({
      state: 'bad',
      todo: expect.stringContaining('AllowTcpForwarding'),
    });
    expect(check(checks, 'ports')).toMatchObject({ state: 'good' });
  });

  test('a driver that hangs there does not hold up the connection', async () => {
    const tools = await temporaryFolder();
    await writeFile(join(tools, 'nvidia-smi'), '#!/bin/sh\n# A stand-in that hangs.\nexec sleep 1000\n');
    await chmod(join(tools, 'nvidia-smi'), 0o755);
    await chmod(tools, 0o755);
    const { monitor, fleet } = await overSsh({ serverLines: [`SetEnv "PATH=${tools}:/usr/bin:/bin"`] });
    const probing = monitor.probe('lab');
    const machine = await unwrap(fleet.get('lab'));
    const answer = await unwrap(machine.run('echo quick'));
    expect(answer.stdout).toBe('quick\n');
    const { gpus } = await unwrap(probing);
    expect(gpus?.problems).toEqual([expect.stringContaining('did not answer in time')]);
  });

  test('the doctor is refused by a machine that cannot be reached', async () => {
    const { monitor, sshd } = await overSsh();
    await sshd.down();
    const answer = await monitor.doctor('lab', () => undefined, new AbortController().signal);
    expect(answer).toMatchObject({ ok: false, error: { code: 'unreachable' } });
  });

  test('a connection cut in the middle of an examination spoils no check permanently', async () => {
    const { monitor, sshd } = await overSsh();
    await unwrap(monitor.probe('lab'));
    const examined = monitor.doctor('lab', () => undefined, new AbortController().signal);
    await sshd.killSessions();
    const cut = await examined;
    // What the cut hit is unknown, and nothing is called bad for it.
    const bad = (cut.ok ? cut.value : []).filter(({ state }) => state === 'bad');
    expect(bad).toEqual([]);
    await eventually('a whole examination', async () => {
      const again = await monitor.doctor('lab', () => undefined, new AbortController().signal);
      return again.ok && again.value.every(({ state }) => state !== 'unknown');
    });
  });
});

describe.skipIf(!hasSshdAccounts)('accounts of a real sshd (needs openssh-server and root)', () => {
  test('start-up files that print are detected, and disturb nothing else', async () => {
    const { monitor, sshd } = await overSsh({
      loginShell: '/bin/bash',
      homeFiles: { '.bashrc': 'echo "Welcome to the lab"\n' },
    });
    const checks = await examine(monitor);
    expect(check(checks, 'login-shell')).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('prints "Welcome to the lab"'),
    });
    expect(check(checks, 'python')?.found).toMatch(/^Python 3/);
    expect((await unwrap(monitor.probe('lab'))).facts?.home).toBe(sshd.home);
  });

  test('an environment in the home folder there is found', async () => {
    const { monitor, sshd } = await overSsh();
    const library = join(sshd.home, 'serve-env/lib/python3.11/site-packages');
    await mkdir(join(library, 'vllm-0.6.3.dist-info'), { recursive: true });
    await mkdir(join(sshd.home, 'serve-env/bin'));
    await writeFile(join(sshd.home, 'serve-env/pyvenv.cfg'), '');
    // Stands in for an interpreter in which every import works.
    await writeFile(join(sshd.home, 'serve-env/bin/python'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    expect(check(await examine(monitor), 'vllm')).toMatchObject({
      state: 'good',
      found: expect.stringContaining(`vLLM 0.6.3 in ${sshd.home}/serve-env (venv)`),
    });
  });
});
