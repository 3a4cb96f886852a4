import { describe, expect, test } from 'vitest';
import type { JobView } from '../../../preload/contract/job';
import { withAssignedGpus } from '../../../preload/contract/plans/index';
import {
  commonModel,
  freeGpusSummary,
  gpuRows,
  holdersText,
  hourOfUse,
  isFree,
  ownersText,
  usableRows,
} from '../../../renderer/machines/gpu-rows';
import { gpuChoices, gpuHolders } from '../../../renderer/text/gpus';
import { sampleJob } from '../../support/sample-jobs';
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
    'reserved',
    'used',
    'free',
    'unhealthy',
  ]);
  expect(rows.slice(0, 4).map(ownersText)).toEqual(['you', 'you', 'user2 and 2 more', 'free']);
});

test('Home, the status bar and forms count the same GPUs as free as the machines do, slices instead of what is split', () => {
  const heldBack = { ...sampleGpu(1), heldBack: 'ECC errors', problems: ['ECC errors'] };
  const odd = sampleMachine(SPEC, CONNECTED, {
    gpus: {
      ...{ at: '2026-01-05T09:30:00.000Z', driver: null, problems: [], history: {} },
      gpus: [sampleGpu(0), heldBack],
    },
  });
  for (const machine of [...busyMachines(), GPU_MACHINE, odd]) {
    const usable = usableRows(gpuRows(machine)).map(({ gpu, state }) => [gpu.id, state]);
    expect(
      gpuChoices(machine)
        .map(({ id, state }) => [id, state])
        .sort(),
    ).toEqual(usable.sort());
  }
  expect(freeGpusSummary(gpuRows(odd))).toBe('1 of 2 GPUs free');
});

test('who holds how many GPUs is said, you first, then the most', () => {
  expect(holdersText(rows)).toBe('you (2), user3 (2), unknown user (1), user2 (1)');
  expect(holdersText([])).toBe('');
});

test('the last hour is drawn by the minute, a missed one as the one before, longer gaps as gaps', () => {
  const now = Date.parse('2026-01-05T10:00:00.000Z');
  const read = (minutesAgo: number, utilisation: number) => ({
    ...{ at: new Date(now - minutesAgo * 60_000).toISOString(), memory: null },
    utilisation,
  });
  const hour = hourOfUse([read(61, 1), read(59, 10), read(57, 30), read(20, 50), read(0, 90)], now);
  expect(hour).toHaveLength(60);
  expect(hour.slice(0, 4)).toEqual([10, 10, 30, null]);
  expect(hour.slice(38, 41)).toEqual([null, 50, null]);
  expect(hour.at(-1)).toBe(90);
  expect(hourOfUse([], now).every((use) => use === null)).toBe(true);
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

test('a GPU that a job of ours holds is not free before the job uses it, and has its name', () => {
  const view = sampleMachine(SPEC, CONNECTED, {
    gpus: {
      ...{ at: '2026-01-05T09:30:00.000Z', driver: null, problems: [], history: {} },
      gpus: [0, 1, 2].map((index) => sampleGpu(index)),
    },
  });
  const job = (id: string, state: JobView['state'], gpu: number) =>
    sampleJob({ id, machineId: 'm', name: id, state, gpuIds: [sampleGpu(gpu).id] });
  const assigned = withAssignedGpus(view, [
    job('k1', { kind: 'running', pid: 1 }, 0),
    job('k2', { kind: 'unknown', since: '2026-01-05T09:30:00.000Z', last: 'starting' }, 1),
    job('k3', { kind: 'exited', code: 0, endedAt: '2026-01-05T09:30:00.000Z' }, 2),
    { ...job('k4', { kind: 'running', pid: 1 }, 2), machineId: 'other' },
  ]);
  const held = gpuRows(assigned);
  expect(held.map(ownersText)).toEqual(['k1 (assigned)', 'k2 (assigned)', 'free']);
  expect(freeGpusSummary(held)).toBe('1 of 3 GPUs free');
  expect(holdersText(held)).toBe('you (2)');
  expect(gpuHolders(assigned)).toBe('k1 (assigned) · k2 (assigned)');
  expect(gpuChoices(assigned).map(({ state }) => state)).toEqual(['own', 'own', 'free']);
});

test('memory that only a driver holds leaves a GPU free; more without a known process does not', () => {
  const gpus = [sampleGpu(0, { memoryUsedMib: 612 }), sampleGpu(1, { memoryUsedMib: 20_000 })];
  const view = sampleMachine(SPEC, CONNECTED, {
    gpus: { at: '2026-01-05T09:30:00.000Z', driver: null, gpus, problems: [], history: {} },
  });
  expect(gpuRows(view).map(({ state }) => state)).toEqual(['free', 'used']);
  expect(gpuRows(view).map(ownersText)).toEqual(['free', 'in use']);
});
