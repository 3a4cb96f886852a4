import { expect, test } from 'vitest';
import { gpuHolders, gpuTiles } from '../../../renderer/text/gpus';
import { sampleLab } from '../../support/sample-jobs';
import { GPU_MACHINE, sampleGpu } from '../../support/sample-machines';

test('the holders of GPUs are named, whoever has most first, and free ones are left out', () => {
  const lab = sampleLab().find(({ spec }) => spec.id === 'gpu1');
  if (lab === undefined) throw new Error('The sample has no gpu1');
  expect(gpuHolders(lab)).toBe('you × 2 · mira · reserved by user3 · unhealthy');
  expect(gpuHolders({ ...lab, gpus: null })).toBe('');
});

test('a GPU that somebody unknown uses, or that is reserved for you, says so in a form and at home', () => {
  const until = new Date(Date.parse(GPU_MACHINE.gpus?.at ?? '') + 60_000);
  const time = `${String(until.getHours()).padStart(2, '0')}:${String(until.getMinutes()).padStart(2, '0')}`;
  const process = { pid: 42, user: null, command: null, memoryMib: 9_000, startedAt: null };
  const gpus = [
    { ...sampleGpu(0), processes: [process] },
    { ...sampleGpu(1), processes: [], memoryUsedMib: 4 },
    { ...sampleGpu(2), processes: [{ ...process, user: 'user2' }] },
  ];
  const reserve = (gpu: number, user: string, note: string) => ({
    ...{ gpuId: sampleGpu(gpu).id, user, note },
    until: until.toISOString(),
  });
  const machine = {
    ...GPU_MACHINE,
    gpus: {
      ...(GPU_MACHINE.gpus ?? { driver: null, problems: [], history: {} }),
      at: until.toISOString(),
      gpus,
    },
    reservations: [reserve(1, 'user1', 'my ablation'), reserve(2, 'user3', '')],
  };
  expect(gpuTiles(machine).map(({ note }) => note)).toEqual([
    'unknown user',
    `reserved for you until ${time}: my ablation`,
    `user2, reserved by user3 until ${time}`,
  ]);
  expect(gpuTiles(machine)[1]?.tone).toBe('free');
  expect(gpuHolders(machine)).toBe('unknown user · reserved for you · user2, reserved by user3');
});
