import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failed, shellWord } from '../../../../main/base';
import { createMachineMonitor, type Machine, type MachineMonitor } from '../../../../main/machines';
import type { DoctorCheck } from '../../../../preload/contract';
import { eventually } from '../../../support/eventually';
import { healthyCard, nvidiaStandIn } from '../../../support/nvidia-stand-in';
import { smallFleet } from '../../../support/small-fleet';
import { toolBench } from '../../../support/stand-in-tools';
import { unwrap } from '../../../support/unwrap';

const run = promisify(execFile);

function monitorOf(machine: Machine): MachineMonitor {
  const monitor = createMachineMonitor({ fleet: smallFleet(machine), clock: { now: () => Date.now() } });
  onTestFinished(() => monitor.dispose());
  return monitor;
}

const never = () => new AbortController().signal;
const stateOf = (checks: readonly DoctorCheck[], id: string) =>
  checks.find((check) => check.id === id)?.state;

describe('the doctor', () => {
  test('runs all checks in order and reports its progress', async () => {
    const bench = await toolBench();
    await nvidiaStandIn(bench, [healthyCard(0)]);
    const reports: [number, number][] = [];
    const checks = await unwrap(
      monitorOf(bench.machine).doctor('local', (done, total) => reports.push([done, total]), never()),
    );
    expect(checks.map(({ id }) => id)).toEqual([
      'login-shell',
      'clock',
      'ports',
      'detach',
      'outlives-logout',
      'tmux',
      'limits',
      'disk-home',
      'home-file-system',
      'quota',
      'disk-tmp',
      'gpus',
      'cuda',
      'python',
      'vllm',
      'sglang',
      'ray',
      'marti',
      'sandbox',
    ]);
    const done = reports.map(([count]) => count);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(reports[0]).toEqual([0, checks.length]);
    expect(reports.at(-1)).toEqual([checks.length, checks.length]);
    expect(stateOf(checks, 'gpus')).toBe('good');
    // Whatever is wrong comes with what to type.
    for (const { state, todo } of checks)
      if (state === 'warning' || state === 'bad') expect(todo).toBeTruthy();
  });

  test.skipIf(process.getuid?.() !== 0 || !existsSync('/usr/bin/setpriv'))(
    'finds out as much as an ordinary user (needs root and setpriv, to be one)',
    async () => {
      const bench = await toolBench();
      await run('chown', ['65534', bench.home, dirname(bench.home)]);
      const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];
      const machine: Machine = {
        ...bench.machine,
        run: (script, options) =>
          bench.machine.run(`exec setpriv ${asNobody.join(' ')} sh -c ${shellWord(script)}`, options),
        spawn: (command, args, env) => bench.machine.spawn('setpriv', [...asNobody, command, ...args], env),
      };
      const checks = await unwrap(monitorOf(machine).doctor('local', () => undefined, never()));
      expect(checks.filter(({ state }) => state === 'unknown')).toEqual([]);
      expect(stateOf(checks, 'ports')).toBe('good');
      expect(stateOf(checks, 'sandbox')).toBe(existsSync('/usr/bin/bwrap') ? 'good' : 'warning');
      expect(stateOf(checks, 'disk-home')).not.toBe('bad');
    },
  );

  test.each(['bash --posix', 'busybox sh'].filter((shell) => existsSync(`/bin/${shell.split(' ')[0]}`)))(
    'needs no particular shell: %s',
    async (shell) => {
      const bench = await toolBench();
      await nvidiaStandIn(bench, [healthyCard(0)]);
      const machine: Machine = {
        ...bench.machine,
        run: (script, options) => bench.machine.run(`exec ${shell} -c ${shellWord(script)}`, options),
      };
      const checks = await unwrap(monitorOf(machine).doctor('local', () => undefined, never()));
      expect(checks.filter(({ state }) => state === 'unknown')).toEqual([]);
      expect(stateOf(checks, 'gpus')).toBe('good');
    },
  );

  test('finds out the rest where one program hangs', async () => {
    const bench = await toolBench();
    await bench.standIn('df', 'sleep 1000');
    const patient = bench.machine.run;
    // A hanging df is given up on after 20 s; here after less.
    const machine: Machine = {
      ...bench.machine,
      run: (script, options) =>
        patient(script, { ...options, ...(script.includes('df -Pk "$place"') ? { timeoutMs: 1_000 } : {}) }),
    };
    const checks = await unwrap(monitorOf(machine).doctor('local', () => undefined, never()));
    expect(stateOf(checks, 'disk-home')).toBe('unknown');
    expect(checks.find(({ id }) => id === 'disk-home')?.found).toContain('did not finish within 1 s');
    expect(stateOf(checks, 'tmux')).not.toBe('unknown');
    expect(stateOf(checks, 'python')).not.toBe('unknown');
  });

  test('finds out the rest where one question is not answered', async () => {
    const bench = await toolBench();
    const machine: Machine = {
      ...bench.machine,
      run: async (script, options) =>
        script.includes('bwrap')
          ? failed({ code: 'unreachable', message: 'The line was cut.' })
          : bench.machine.run(script, options),
    };
    const checks = await unwrap(monitorOf(machine).doctor('local', () => undefined, never()));
    expect(
      checks.filter(({ found }) => found === 'The line was cut.').map(({ id, state }) => [id, state]),
    ).toEqual([['sandbox', 'unknown']]);
  });

  test('does not begin with a machine that does not answer', async () => {
    const bench = await toolBench();
    const error = { code: 'unreachable', message: 'lab does not answer.' } as const;
    const machine: Machine = { ...bench.machine, run: async () => failed(error) };
    expect(await monitorOf(machine).doctor('local', () => undefined, never())).toEqual({ ok: false, error });
  });

  test('stops when it is cancelled, and what it had started there ends', async () => {
    const bench = await toolBench();
    await bench.standIn('df', 'exec sleep 47.110815');
    const stop = new AbortController();
    const answer = monitorOf(bench.machine).doctor('local', () => undefined, stop.signal);
    const hanging = async () =>
      (
        await unwrap(bench.machine.run('ps -eo args= | grep -c "^sleep 47[.]110815" || true'))
      ).stdout.trim() !== '0';
    await eventually('a hanging df', hanging);
    stop.abort();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    await eventually('its end', async () => !(await hanging()));
  });
});
