import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { GpuReading } from '../../../../preload/contract';
import { healthyCard, nvidiaStandIn } from '../../../support/nvidia-stand-in';
import { probeOnce } from '../../../support/probe-once';
import { toolBench } from '../../../support/stand-in-tools';

async function readingOf(
  cards: Parameters<typeof nvidiaStandIn>[1],
  outputs?: Parameters<typeof nvidiaStandIn>[2],
): Promise<GpuReading> {
  const bench = await toolBench();
  await nvidiaStandIn(bench, cards, outputs);
  const { gpus } = await probeOnce(bench.machine);
  if (gpus === null) throw new Error('No reading');
  return gpus;
}

const ids = ({ gpus }: GpuReading) => gpus.map(({ id }) => id);

describe('cards', () => {
  test('are reported with utilisation, memory, temperature, power and driver', async () => {
    const busy = {
      'utilization.gpu': '91',
      'memory.used': '20137',
      'temperature.gpu': '67',
      'power.draw': '288.10',
    };
    const { driver, gpus, problems } = await readingOf([healthyCard(0), healthyCard(3, busy)]);
    expect({ driver, problems }).toEqual({ driver: '550.54.15', problems: [] });
    expect(gpus[1]).toEqual({
      id: 'GPU-3333',
      index: 3,
      name: 'NVIDIA A100-SXM4-80GB',
      vendor: 'nvidia',
      sliceOf: null,
      utilisation: 91,
      memoryUsedMib: 20_137,
      memoryTotalMib: 81_920,
      temperatureC: 67,
      powerW: 288.1,
      powerLimitW: 400,
      problems: [],
      processes: [],
    });
  });

  test('a machine without any vendor tool reports none', async () => {
    const bench = await toolBench();
    expect((await probeOnce(bench.machine)).gpus).toBeNull();
  });

  test.each(['[N/A]', 'N/A', '[Not Supported]', '[Unknown Error]', '[GPU requires reset]', 'ERR!'])(
    'a cell "%s" is unknown and spoils no other',
    async (cell) => {
      const { gpus, problems } = await readingOf([
        healthyCard(0, { 'utilization.gpu': cell, 'memory.used': cell, 'power.draw': cell }),
        healthyCard(1),
      ]);
      expect(gpus[0]).toMatchObject({
        utilisation: null,
        memoryUsedMib: null,
        powerW: null,
        temperatureC: 31,
      });
      expect(gpus[1]).toMatchObject({ utilisation: 0, memoryUsedMib: 4 });
      expect(problems).toEqual([]);
    },
  );

  test('come in the order of their numbers, not in the order of the driver', async () => {
    expect(ids(await readingOf([healthyCard(2), healthyCard(0), healthyCard(1)]))).toEqual([
      'GPU-0000',
      'GPU-1111',
      'GPU-2222',
    ]);
  });

  test('a driver that knows fewer fields is asked for those, by their older names too', async () => {
    const { 'clocks_event_reasons.active': slow, gpu_recovery_action: _, ...old } = healthyCard(0);
    const { gpus, problems } = await readingOf([
      { ...old, 'clocks_throttle_reasons.active': '0x0000000000000040' },
    ]);
    expect(slow).toBeDefined();
    expect(problems).toEqual([]);
    expect(gpus[0]?.problems).toEqual([
      'Slowed down by the hardware because it is too hot: check its cooling.',
    ]);
  });

  test('ECC errors, pages to be retired and a pending recovery are reported in sentences', async () => {
    const { gpus } = await readingOf([
      healthyCard(0, {
        'ecc.errors.uncorrected.volatile.total': '3',
        'retired_pages.pending': 'Yes',
        gpu_recovery_action: 'Reset',
      }),
    ]);
    expect(gpus[0]?.problems).toEqual([
      '3 memory errors (ECC) that could not be corrected since the driver was loaded: results may be wrong.',
      'Bad memory pages will be retired at the next reset or reboot.',
      'The driver asks for a recovery: Reset.',
    ]);
  });

  test.each([
    ['state  Completed', 0],
    ['N/A', 0],
    ['In Progress', 1],
    ['Not Started', 1],
  ])('an NVLink fabric that is "%s" gives %d problems', async (state, problems) => {
    const { gpus } = await readingOf([healthyCard(0, { 'fabric.state': state })]);
    expect(gpus[0]?.problems).toHaveLength(problems);
  });

  test.each([
    ['the kernel log', 'dmesg', '0'],
    ['the journal, where only that may be read', 'journalctl', '1'],
  ])('errors in %s are reported at their card', async (_, tool, dmesgCode) => {
    const bench = await toolBench();
    await nvidiaStandIn(bench, [healthyCard(0), healthyCard(4)]);
    await bench.standIn('dmesg', `echo "dmesg: read kernel buffer failed" >&2; exit ${dmesgCode}`);
    const line = 'NVRM: Xid (PCI:0000:44:00): 79, pid=4711, GPU has fallen off the bus.';
    await bench.standIn(tool, `echo "[    1.500000] kernel: ${line}"`);
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus?.gpus.map(({ problems }) => problems)).toEqual([
      [],
      [expect.stringMatching(/^XID 79 in the kernel log \(last at 20.*Z\)\. It fell off the bus/)],
    ]);
  });

  test.each([
    [{ 'ecc.errors.uncorrected.volatile.total': '2' }, 'uncorrected memory errors (ECC)'],
    [{ 'remapped_rows.pending': 'Yes' }, 'bad memory that waits for a reset'],
    [{ 'reset_status.reset_required': 'Yes' }, 'a reset that the driver asks for'],
    [{ 'utilization.gpu': '[GPU requires reset]' }, 'a reset that the driver asks for'],
    [{ 'remapped_rows.pending': '0' }, undefined],
  ])('%j: held back because of %s', async (change, reason) => {
    const { gpus } = await readingOf([healthyCard(0, change), healthyCard(1)]);
    expect(gpus.map(({ heldBack }) => heldBack)).toEqual([reason, undefined]);
  });

  test('a card that fell off the bus (XID 79) is held back; a fault of a program holds back none', async () => {
    const bench = await toolBench();
    await nvidiaStandIn(bench, [healthyCard(0), healthyCard(1)]);
    const xids = ['04:00): 79, pid=7, GPU has fallen off the bus.', '14:00): 31, pid=8, MMU Fault'];
    await bench.standIn('dmesg', xids.map((text) => `echo "[ 1.5] NVRM: Xid (PCI:0000:${text}"`).join('\n'));
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus?.gpus.map(({ heldBack }) => heldBack)).toEqual(['XID 79', undefined]);
  });

  test('the power limit of a busy card is not a problem', async () => {
    const { gpus } = await readingOf([
      healthyCard(0, { 'clocks_event_reasons.active': '0x0000000000000004' }),
    ]);
    expect(gpus[0]?.problems).toEqual([]);
  });
});

describe('errors', () => {
  test.each([
    [
      'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.90',
      18,
      /was updated while the old one is still loaded/,
    ],
    [
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.",
      9,
      /is not loaded/,
    ],
    ['Failed to initialize NVML: Unknown Error', 255, /restart the container/],
    ['Failed to initialize NVML: Insufficient Permissions', 4, /may not use the NVIDIA driver/],
    [
      "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.",
      12,
      /installation of the driver is incomplete/,
    ],
    ['Segmentation fault', 139, /nvidia-smi failed \(exit code 139\): Segmentation fault/],
  ])('"%s" is reported with its meaning', async (text, code, meaning) => {
    const bench = await toolBench();
    await writeFile(join(bench.tools, 'said'), `${text}\n`);
    await bench.standIn('nvidia-smi', `cat "\${0%/*}/said"; exit ${code}`);
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus?.gpus).toEqual([]);
    expect(gpus?.problems).toEqual([expect.stringMatching(meaning)]);
  });

  test('"No devices were found" is a machine without cards, and no error', async () => {
    const bench = await toolBench();
    await bench.standIn('nvidia-smi', `echo 'No devices were found'; exit 6`);
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus).toMatchObject({ gpus: [], problems: [] });
  });

  test.each([
    'Unable to determine the device handle for GPU 0000:14:00.0: GPU is lost.  Reboot the system to recover this GPU',
    'Unable to determine the device handle for GPU1: 0000:14:00.0: Unknown Error',
    'Unable to determine the device handle for GPU0000:14:00.0: Unknown Error',
  ])('a card that is lost leaves the others: "%s"', async (sentence) => {
    // An older driver on top of it: the lost card is reported before the unknown field.
    const older = (index: number) => {
      const { 'fabric.state': _, ...card } = healthyCard(index);
      return card;
    };
    const { gpus, problems } = await readingOf([older(0), older(2)], {
      list: `GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-0000)\n${sentence}\nGPU 2: NVIDIA A100-SXM4-80GB (UUID: GPU-2222)\n`,
      before: `case "$*" in
  -L) ;;
  "-i "*) ;;
  *--query-gpu*) echo '${sentence}'; exit 15 ;;
esac`,
    });
    expect(gpus.map(({ id }) => id)).toEqual(['GPU-0000', 'GPU-2222']);
    expect(problems).toEqual([expect.stringMatching(/^The GPU at 0000:14:00.0 does not answer .*reboot/)]);
  });

  test('processes that could not be listed are reported as unknown', async () => {
    const { gpus, problems } = await readingOf([healthyCard(0)], {
      before: `case "$*" in *query-compute-apps*) echo 'Unknown Error'; exit 255 ;; esac`,
    });
    expect(gpus).toHaveLength(1);
    expect(problems).toEqual([expect.stringMatching(/not known who uses them/)]);
  });

  test('an nvidia-smi that hangs costs seconds and is reported; the next probe starts no other one', async () => {
    const bench = await toolBench();
    await nvidiaStandIn(bench, [healthyCard(0)], {
      before: `echo called >>"$here/calls"; trap '' TERM; while :; do sleep 1; done`,
    });
    const views = await probeOnce(bench.machine, { times: 2 });
    expect(views.gpus?.problems).toEqual([
      expect.stringMatching(/did not answer in time: the driver or a card hangs/),
    ]);
    expect(views.facts?.hostname).toBeTruthy();
    // The list of cards and the list of processes: one each.
    expect((await readFile(join(bench.tools, 'calls'), 'utf8')).trim().split('\n')).toHaveLength(2);
  });
});

test('a program that survives KILL blocks neither the probe nor its other results', async () => {
  const bench = await toolBench();
  await nvidiaStandIn(bench, [healthyCard(0)]);
  // What bounds programs does not come back itself: as when the kernel holds them. Free space is asked through it too.
  await bench.standIn('timeout', 'exec sleep 25');
  const { facts, gpus } = await probeOnce(bench.machine);
  expect(facts).toMatchObject({ home: bench.home, diskFreeMib: null });
  expect(gpus?.problems).toEqual([expect.stringMatching(/did not answer in time/)]);
});

describe('processes', () => {
  test('come with their user, age and command, without what looks like a secret', async () => {
    const child = spawn('sh', ['-c', 'sleep 1000; exit', 'vllm serve', '--api-key', 'sk-abcdefghij'], {
      stdio: 'ignore',
      detached: true,
    });
    onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
    const { gpus } = await readingOf([healthyCard(0), healthyCard(1)], {
      apps: `GPU-1111, ${child.pid}, 70123, sh\n`,
    });
    expect(gpus[0]?.processes).toEqual([]);
    const [held] = gpus[1]?.processes ?? [];
    expect(held).toMatchObject({ pid: child.pid, memoryMib: 70_123 });
    expect(held?.command).toBe('sh -c sleep 1000; exit vllm serve --api-key •••');
    expect(held?.user).toBeTruthy();
    expect(Math.abs(Date.now() - Date.parse(held?.startedAt ?? ''))).toBeLessThan(60_000);
  });

  test('one that this account cannot see is listed with what the driver itself knows of it', async () => {
    const { gpus } = await readingOf([healthyCard(0)], {
      apps: 'GPU-0000, 4194303, 512, /usr/bin/python3, with a comma\nGPU-0000, 4194302, [N/A], [Not Found]\n',
    });
    expect(gpus[0]?.processes).toEqual([
      { pid: 4_194_303, user: null, command: null, memoryMib: 512, startedAt: null },
      { pid: 4_194_302, user: null, command: null, memoryMib: null, startedAt: null },
    ]);
  });

  test('one whose name holds a line feed is one process, whatever the next line looks like', async () => {
    const name = 'python\u0001GPU-0000, 1, 80000, forged';
    const { gpus, problems } = await readingOf([healthyCard(0)], {
      apps: `GPU-0000, 4194303, 512, ${name}\n`,
    });
    expect(gpus[0]?.processes.map(({ pid }) => pid)).toEqual([4_194_303]);
    expect(problems).toEqual([]);
  });
});

describe('MIG', () => {
  const card = healthyCard(0, { 'mig.mode.current': 'Enabled', 'utilization.gpu': '[N/A]' });
  const list = `GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-0000)
  MIG 3g.40gb     Device  0: (UUID: MIG-aaaa)
  MIG 1g.10gb     Device  1: (UUID: MIG-bbbb)
`;
  const xml = `<?xml version="1.0" ?>
<nvidia_smi_log>
  <gpu id="00000000:04:00.0">
    <uuid>GPU-0000</uuid>
    <mig_devices>
      <mig_device>
        <index>0</index><gpu_instance_id>2</gpu_instance_id><compute_instance_id>0</compute_instance_id>
        <fb_memory_usage><total>40192 MiB</total><reserved>0 MiB</reserved><used>12001 MiB</used></fb_memory_usage>
      </mig_device>
      <mig_device>
        <index>1</index><gpu_instance_id>9</gpu_instance_id><compute_instance_id>0</compute_instance_id>
        <fb_memory_usage><total>9728 MiB</total><reserved>0 MiB</reserved><used>12 MiB</used></fb_memory_usage>
      </mig_device>
    </mig_devices>
    <processes>
      <process_info>
        <gpu_instance_id>2</gpu_instance_id><compute_instance_id>0</compute_instance_id>
        <pid>4194301</pid><type>C</type><process_name>python</process_name><used_memory>11980 MiB</used_memory>
      </process_info>
    </processes>
  </gpu>
</nvidia_smi_log>
`;

  test('slices are their own rows, with memory and processes', async () => {
    const { gpus, problems } = await readingOf([card, healthyCard(1)], { list, xml });
    expect(problems).toEqual([]);
    expect(
      gpus.map(({ id, sliceOf, name, memoryUsedMib, memoryTotalMib }) => [
        id,
        sliceOf,
        name,
        memoryUsedMib,
        memoryTotalMib,
      ]),
    ).toEqual([
      ['GPU-0000', null, 'NVIDIA A100-SXM4-80GB', 4, 81_920],
      ['MIG-aaaa', 'GPU-0000', 'NVIDIA A100-SXM4-80GB MIG 3g.40gb', 12_001, 40_192],
      ['MIG-bbbb', 'GPU-0000', 'NVIDIA A100-SXM4-80GB MIG 1g.10gb', 12, 9_728],
      ['GPU-1111', null, 'NVIDIA A100-SXM4-80GB', 4, 81_920],
    ]);
    expect(gpus[1]?.processes).toMatchObject([{ pid: 4_194_301, memoryMib: 11_980 }]);
    expect(gpus[2]?.processes).toEqual([]);
  });

  test('a driver that names slices by their cards is understood too', async () => {
    const older = list.replace('MIG-aaaa', 'MIG-GPU-0000/2/0');
    const { gpus } = await readingOf([card], {
      list: older,
      xml,
      apps: 'MIG-GPU-0000/2/0, 4194300, 99, x\n',
    });
    expect(gpus[1]).toMatchObject({ id: 'MIG-GPU-0000/2/0', processes: [{ pid: 4_194_300, memoryMib: 99 }] });
  });
});
