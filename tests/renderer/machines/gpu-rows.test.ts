import { describe, expect, test } from 'vitest';
import {
  commonModel,
  freeGpusSummary,
  gpuRows,
  isFree,
  ownersText,
  usableRows,
} from '../../../renderer/machines/gpu-rows';
import {
  busyMachines,
  CONNECTED,
  GPU_MACHINE,
  sampleGpu,
  sampleMachine,
} from '../../support/sample-machines';

const SPEC = { kind: 'ssh', id: 'm', name: 'm', host: 'm' } as const;
const rows = gpuRows(GPU_MACHINE);
const mixed = gpuRows(busyMachines()[2] ?? GPU_MACHINE);

test('our processes are recognised by the account on the machine', () => {
  expect(rows.map(({ state }) => state)).toEqual([
    'own',
    'own',
    'used',
    'free',
    'free',
    'used',
    'free',
    'unhealthy',
  ]);
  expect(rows.slice(0, 4).map(ownersText)).toEqual(['you', 'you', 'user2 and 2 more', 'free']);
});

test('a GPU that another user asks to leave is not free, one that is kept for us is', () => {
  expect(rows.filter(isFree).map(({ short }) => short)).toEqual(['3', '6']);
  expect(freeGpusSummary(rows)).toBe('2 of 8 GPUs free');
});

describe('slices', () => {
  test('follow the GPU that they are of, and have its number', () => {
    expect(mixed.map(({ short }) => short)).toEqual(['0', '1', '1.1', '1.2']);
  });

  test('are used instead of it', () => {
    expect(usableRows(mixed).map(({ short }) => short)).toEqual(['0', '1.1', '1.2']);
    expect(commonModel(mixed)).toBeNull();
    expect(commonModel(rows)).toBe('H100 80GB HBM3');
  });

  test('are shown when their GPU is gone', () => {
    const stray = sampleGpu(5, { id: 'MIG-1', index: null, sliceOf: 'GPU-gone' });
    const view = sampleMachine(SPEC, CONNECTED, {
      gpus: { at: '2026-01-05T09:30:00.000Z', driver: null, gpus: [stray], problems: [], history: {} },
    });
    expect(gpuRows(view).map(({ short }) => short)).toEqual(['?.1']);
  });
});

test('memory that only a driver holds leaves a GPU free; more without a known process does not', () => {
  const gpus = [sampleGpu(0, { memoryUsedMib: 612 }), sampleGpu(1, { memoryUsedMib: 20_000 })];
  const view = sampleMachine(SPEC, CONNECTED, {
    gpus: { at: '2026-01-05T09:30:00.000Z', driver: null, gpus, problems: [], history: {} },
  });
  expect(gpuRows(view).map(({ state }) => state)).toEqual(['free', 'used']);
  expect(gpuRows(view).map(ownersText)).toEqual(['free', 'in use']);
});
