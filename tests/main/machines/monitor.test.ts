import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failed, shellWord } from '../../../main/base';
import { createMachineMonitor, type Machine, type MachineMonitor } from '../../../main/machines';
import { probeScript } from '../../../main/machines/logic/probe/machine-reading';
import type { MachineView } from '../../../preload/contract';
import { eventually } from '../../support/eventually';
import { healthyCard, nvidiaStandIn } from '../../support/nvidia-stand-in';
import { smallFleet } from '../../support/small-fleet';
import { type ToolBench, toolBench } from '../../support/stand-in-tools';
import { temporaryFolder } from '../../support/temporary-folder';
import { unwrap } from '../../support/unwrap';

type Bench = {
  readonly bench: ToolBench;
  readonly fleet: ReturnType<typeof smallFleet>;
  readonly monitor: MachineMonitor;
  readonly emitted: MachineView[];
  readonly passMs: (ms: number) => void;
  /** How often its cards were asked for. */
  readonly probes: () => Promise<number>;
  /** From now on the machine answers nothing. */
  readonly cut: () => void;
};

const UNREACHABLE = { code: 'unreachable', message: 'lab does not answer.' } as const;

async function monitorBench(options: { readonly pollMs?: number } = {}): Promise<Bench> {
  const bench = await toolBench({ spec: { kind: 'ssh', id: 'lab', name: 'lab', host: 'lab' } });
  await nvidiaStandIn(bench, [healthyCard(0), healthyCard(1)]);
  let isCut = false;
  const machine: Machine = {
    ...bench.machine,
    run: async (...args) => (isCut ? failed(UNREACHABLE) : bench.machine.run(...args)),
  };
  const fleet = smallFleet(machine);
  let lateMs = 0;
  const monitor = createMachineMonitor({
    fleet,
    clock: { now: () => Date.now() + lateMs },
    reservationRoot: await temporaryFolder(),
    ...options,
  });
  onTestFinished(() => monitor.dispose());
  const emitted: MachineView[] = [];
  monitor.onChange((view) => emitted.push(view));
  return {
    bench,
    fleet,
    monitor,
    emitted,
    passMs: (ms) => {
      lateMs += ms;
    },
    probes: async () => {
      const log = await readFile(join(bench.tools, 'asked'), 'utf8').catch(() => '');
      return log.split('\n').filter((line) => line.startsWith('cards')).length;
    },
    cut: () => {
      isCut = true;
    },
  };
}

describe('a probe', () => {
  test('reports what the machine is, also to listeners', async () => {
    const { monitor, emitted, bench } = await monitorBench();
    const view = await unwrap(monitor.probe('lab'));
    expect(view.facts).toMatchObject({ home: bench.home, system: expect.stringContaining('Linux') });
    expect(view.facts?.cores).toBeGreaterThan(0);
    expect(view.facts?.memoryMib).toBeGreaterThan(0);
    expect(view.facts?.diskTotalMib).toBeGreaterThan(view.facts?.diskFreeMib ?? Number.NaN);
    expect(emitted).toEqual([view]);
    expect(monitor.views()).toEqual([view]);
  });

  test('is shared by all who ask at the same time, and answers again for two seconds', async () => {
    const { monitor, passMs, probes } = await monitorBench();
    await Promise.all([
      unwrap(monitor.probe('lab')),
      unwrap(monitor.probe('lab')),
      unwrap(monitor.probe('lab')),
    ]);
    await unwrap(monitor.probe('lab'));
    expect(await probes()).toBe(1);
    passMs(2_100);
    await unwrap(monitor.probe('lab'));
    expect(await probes()).toBe(2);
  });

  test('adds to the history, which outlives a cut connection', async () => {
    const { monitor, passMs, fleet } = await monitorBench();
    for (let time = 0; time < 3; time += 1) {
      await unwrap(monitor.probe('lab'));
      passMs(30_000);
    }
    fleet.change('lab', { kind: 'connecting', since: '2026-01-01T00:00:00.000Z' });
    fleet.change('lab', { kind: 'connected', since: '2026-01-01T00:00:01.000Z' });
    const view = await unwrap(monitor.probe('lab'));
    expect(view.gpus?.history['GPU-0000']).toHaveLength(4);
  });

  test('of a machine that does not answer is refused, and what was seen before stays', async () => {
    const { monitor, passMs, cut } = await monitorBench();
    const before = await unwrap(monitor.probe('lab'));
    passMs(5_000);
    cut();
    expect(await monitor.probe('lab')).toEqual({ ok: false, error: UNREACHABLE });
    expect(await unwrap(monitor.view('lab'))).toEqual(before);
  });

  test('says that a card is gone which was there before', async () => {
    const { monitor, passMs, bench } = await monitorBench();
    await unwrap(monitor.probe('lab'));
    await nvidiaStandIn(bench, [healthyCard(1)]);
    passMs(5_000);
    const { gpus } = await unwrap(monitor.probe('lab'));
    expect(gpus?.gpus.map(({ id }) => id)).toEqual(['GPU-1111']);
    expect(gpus?.problems).toEqual([
      expect.stringMatching(
        /^GPU 0 \(NVIDIA A100-SXM4-80GB, GPU-0000\) was last listed at .* no longer sees it/,
      ),
    ]);
  });

  test('of a machine that is not in the list is refused', async () => {
    const { monitor } = await monitorBench();
    expect(await monitor.probe('elsewhere')).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(monitor.view('elsewhere')).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });
});

describe('with nobody watching', () => {
  test('connected machines are probed now and then', async () => {
    const { emitted, probes } = await monitorBench({ pollMs: 20 });
    await expect.poll(() => emitted.length, { timeout: 120_000 }).toBeGreaterThan(1);
    expect(await probes()).toBeGreaterThan(0);
  });

  test('a disconnected machine is not probed', async () => {
    const { fleet, probes } = await monitorBench({ pollMs: 20 });
    fleet.change('lab', { kind: 'off' });
    const before = await probes();
    await new Promise((resolve) => setTimeout(resolve, 200));
    // One that had begun may end.
    expect(await probes()).toBeLessThanOrEqual(before + 1);
  });

  test('a machine that has just connected is probed, and every change of a connection is emitted', async () => {
    const { fleet, emitted } = await monitorBench();
    fleet.change('lab', { kind: 'off' });
    expect(emitted.map(({ connection }) => connection.kind)).toEqual(['off']);
    fleet.change('lab', { kind: 'connected', since: '2026-01-01T00:00:00.000Z' });
    await expect.poll(() => emitted.at(-1)?.facts ?? null, { timeout: 120_000 }).not.toBeNull();
  });

  test('one whose host has changed is probed from scratch', async () => {
    const { fleet, monitor, bench } = await monitorBench();
    await unwrap(monitor.probe('lab'));
    fleet.change('lab', { kind: 'off' });
    fleet.replace({ ...bench.machine, spec: { kind: 'ssh', id: 'lab', name: 'Another name', host: 'lab' } });
    expect((await unwrap(monitor.view('lab'))).gpus?.gpus).toHaveLength(2);
    fleet.replace({ ...bench.machine, spec: { kind: 'ssh', id: 'lab', name: 'lab', host: 'elsewhere' } });
    expect(await unwrap(monitor.view('lab'))).toMatchObject({ facts: null, gpus: null, reservations: [] });
  });

  test('one that has left the list is forgotten', async () => {
    const { fleet, monitor } = await monitorBench();
    await unwrap(monitor.probe('lab'));
    fleet.leave('lab');
    expect(monitor.views()).toEqual([]);
    expect(await monitor.probe('lab')).toMatchObject({ ok: false });
  });
});

test('after dispose nothing is emitted, also not by a probe under way', async () => {
  const { monitor, emitted } = await monitorBench();
  const probing = monitor.probe('lab');
  monitor.dispose();
  await probing;
  expect(emitted).toEqual([]);
});

test('a probe leaves nothing behind on the machine', async () => {
  const { monitor, bench } = await monitorBench();
  const list = join(bench.tools, 'made');
  await bench.standIn('mktemp', `made=$(/usr/bin/mktemp "$@") && echo "$made" | tee -a '${list}'`);
  await unwrap(monitor.probe('lab'));
  const made = (await readFile(list, 'utf8')).trim().split('\n');
  expect(made.length).toBeGreaterThan(0);
  expect(made.filter((folder) => existsSync(folder))).toEqual([]);
  expect(await readdir(bench.home)).toEqual([]);
});

test('a cancelled probe leaves nothing behind either', async () => {
  const { bench } = await monitorBench();
  const list = join(bench.tools, 'made');
  await bench.standIn('mktemp', `made=$(/usr/bin/mktemp "$@") && echo "$made" | tee -a '${list}'`);
  const script = probeScript({
    withFacts: true,
    withGpus: true,
    nvidiaQuery: null,
    reservationRoot: '/nowhere',
  });
  // Its reader is gone before it says anything, as when the workbench ends or a connection is cut.
  await unwrap(bench.machine.run(`sh -c ${shellWord(script)} | :`));
  const made = (await readFile(list, 'utf8')).trim().split('\n');
  expect(made.length).toBeGreaterThan(0);
  await eventually('their end', () => made.every((folder) => !existsSync(folder)));
});

test.skipIf(!existsSync('/dev/shm'))(
  'files of a killed probe are removed by a later one (needs /dev/shm)',
  async () => {
    const { monitor } = await monitorBench();
    const [old, young] = [await mkdtemp('/dev/shm/mars2-look.'), await mkdtemp('/dev/shm/mars2-look.')];
    onTestFinished(() => rm(young, { recursive: true, force: true }));
    await writeFile(join(old, 'clock.out'), 'x');
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await utimes(old, anHourAgo, anHourAgo);
    await unwrap(monitor.probe('lab'));
    expect([old, young].map((folder) => existsSync(folder))).toEqual([false, true]);
  },
);

test('a machine where no folder can be written says so', async () => {
  const { bench } = await monitorBench();
  await bench.standIn('mktemp', 'exit 1');
  const monitor = createMachineMonitor({
    fleet: smallFleet(bench.machine),
    clock: { now: () => Date.now() },
  });
  onTestFinished(() => monitor.dispose());
  expect(await monitor.probe('lab')).toMatchObject({
    ok: false,
    error: { code: 'unavailable', message: expect.stringContaining('Cannot write to any folder') },
  });
});
