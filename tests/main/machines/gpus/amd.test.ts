import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeOnce } from '../../../support/probe-once';
import { type ToolBench, toolBench } from '../../../support/stand-in-tools';

/** Puts a stand-in there that prints one of these texts, by its first argument ("answer" for every other). */
async function standInOutput(
  bench: ToolBench,
  name: string,
  texts: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [question, text] of Object.entries(texts)) {
    await writeFile(
      join(bench.tools, `${name}.${question}`),
      typeof text === 'string' ? text : JSON.stringify(text, null, 4),
    );
  }
  await bench.standIn(name, `file="$0.$1"; [ -f "$file" ] || file="$0.answer"; cat "$file"`);
}

const value = (amount: number, unit: string) => ({ value: amount, unit });

const CARD = {
  list: { gpu: 0, bdf: '0000:05:00.0', uuid: '62ff74a1-0000-1000-8043-7c6d5a1b2c3d', kfd_id: 45_412 },
  static: {
    gpu: 0,
    asic: { market_name: 'AMD Instinct MI300X', asic_serial: '0x62437C6D5A1B2C3D' },
    driver: { name: 'amdgpu', version: '6.8.5' },
    limit: { max_power: value(750, 'W'), socket_power: value(750, 'W') },
    vram: { size: value(196_288, 'MB') },
  },
  metric: {
    gpu: 0,
    usage: { gfx_activity: value(37, '%'), umc_activity: value(5, '%') },
    power: { socket_power: value(412, 'W') },
    temperature: { edge: 'N/A', hotspot: value(61, 'C'), mem: value(50, 'C') },
    ecc: { total_correctable_count: 12, total_uncorrectable_count: 2 },
    mem_usage: { total_vram: value(196_288, 'MB'), used_vram: value(40_123, 'MB') },
  },
  process: {
    gpu: 0,
    process_list: [
      {
        process_info: {
          name: 'python3',
          pid: 4_194_303,
          memory_usage: { vram_mem: value(39 * 1_073_741_824, 'B') },
        },
      },
    ],
  },
};

describe('amd-smi', () => {
  test.each([
    ['a list alone', <T>(item: T): unknown => [item]],
    ['a list under a name', <T>(item: T): unknown => ({ gpu_data: [item] })],
  ])('is read where it answers with %s', async (_, wrapped) => {
    const bench = await toolBench();
    await standInOutput(bench, 'amd-smi', {
      list: wrapped(CARD.list),
      static: wrapped(CARD.static),
      metric: wrapped(CARD.metric),
      process: wrapped(CARD.process),
    });
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus).toMatchObject({ driver: '6.8.5', problems: [] });
    expect(gpus?.gpus).toEqual([
      {
        id: '62ff74a1-0000-1000-8043-7c6d5a1b2c3d',
        index: 0,
        name: 'AMD Instinct MI300X',
        vendor: 'amd',
        sliceOf: null,
        utilisation: 37,
        memoryUsedMib: 40_123,
        memoryTotalMib: 196_288,
        temperatureC: 61,
        powerW: 412,
        powerLimitW: 750,
        problems: ['2 memory errors (ECC) that could not be corrected: results may be wrong.'],
        processes: [
          { pid: 4_194_303, user: null, command: 'python3', memoryMib: 39 * 1_024, startedAt: null },
        ],
      },
    ]);
  });

  test('a query without an answer loses only its own fields', async () => {
    const bench = await toolBench();
    await standInOutput(bench, 'amd-smi', {
      list: [CARD.list],
      static: [CARD.static],
      metric: 'ERROR: the driver does not answer',
      process: [CARD.process],
    });
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus?.gpus[0]).toMatchObject({
      name: 'AMD Instinct MI300X',
      utilisation: null,
      memoryTotalMib: 196_288,
    });
    expect(gpus?.problems).toEqual(['amd-smi metric gave no readable answer.']);
  });
});

describe('rocm-smi', () => {
  const cards = {
    card0: {
      'Unique ID': '0x9a3b',
      'GPU use (%)': '99',
      'Temperature (Sensor edge) (C)': '41.0',
      'Temperature (Sensor junction) (C)': '47.0',
      'Average Graphics Package Power (W)': '131.0',
      'Max Graphics Package Power (W)': '225.0',
      'VRAM Total Memory (B)': '34342961152',
      'VRAM Total Used Memory (B)': '8395358208',
      'Card Series': 'Instinct MI60',
    },
    system: { 'Driver version': '5.16.9', PID4194303: 'python3, 1, 8388608000, 0, 0' },
  };

  test('is used without amd-smi', async () => {
    const bench = await toolBench();
    await standInOutput(bench, 'rocm-smi', { answer: `WARNING: something\n${JSON.stringify(cards)}` });
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus).toMatchObject({ driver: '5.16.9', problems: [] });
    expect(gpus?.gpus[0]).toMatchObject({
      id: '0x9a3b',
      name: 'Instinct MI60',
      utilisation: 99,
      memoryUsedMib: 8_006,
      memoryTotalMib: 32_752,
      temperatureC: 47,
      powerW: 131,
      powerLimitW: 225,
      processes: [{ pid: 4_194_303, command: 'python3', memoryMib: 8_000 }],
    });
  });

  test('with several cards says that processes cannot be assigned to a card', async () => {
    const bench = await toolBench();
    await standInOutput(bench, 'rocm-smi', {
      answer: { ...cards, card1: { ...cards.card0, 'Unique ID': '0x9a3c' } },
    });
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus?.gpus.map(({ id, processes }) => [id, processes.length])).toEqual([
      ['0x9a3b', 0],
      ['0x9a3c', 0],
    ]);
    expect(gpus?.problems).toEqual([expect.stringMatching(/which process is on which card/)]);
  });

  test('an unreadable answer is reported with its first words', async () => {
    const bench = await toolBench();
    await bench.standIn('rocm-smi', `echo 'ERROR: amdgpu not found' >&2; exit 1`);
    const { gpus } = await probeOnce(bench.machine);
    expect(gpus?.problems).toEqual(['rocm-smi gave no readable answer. ERROR: amdgpu not found']);
  });
});
