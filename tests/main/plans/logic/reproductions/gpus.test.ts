import { describe, expect, test } from 'vitest';
import { serverGpus, trainingGpus } from '../../../../../main/plans/logic/reproductions/gpu-needs';
import { gpuPools } from '../../../../../main/plans/logic/reproductions/gpu-pools';
import { createPlacement } from '../../../../../main/plans/logic/reproductions/placement';
import { clusterOf, gpuMachine, slurmMachine } from '../../../../support/plan-inputs';
import { GPU_MACHINE, sampleGpu, THIS_COMPUTER } from '../../../../support/sample-machines';

const QWEN_8B = { hub: 'Qwen/Qwen3-8B', weightsGib: 15.3 };
const QWEN_14B = { hub: 'Qwen/Qwen3-14B', weightsGib: 27.5 };
const QWEN_32B = { hub: 'Qwen/Qwen3-32B', weightsGib: 61 };
const UNKNOWN_8B = { hub: 'lab/unknown', weightsGib: 15.3 };

function box(memoryGib: number, perNode = 8) {
  return { memoryGib, perNode };
}

describe('GPUs of a server', () => {
  // Weights + 40,000 tokens of 36 (40, 64) layers x 8 heads x 128 x 2 x 2 bytes = 5.5 (6.1, 9.8) GiB, and 1.5 each.
  test.each([
    [QWEN_8B, 24, 2],
    [QWEN_8B, 40, 1],
    [QWEN_14B, 24, 2],
    [QWEN_14B, 48, 1],
    [QWEN_32B, 24, 4],
    [QWEN_32B, 48, 2],
    [QWEN_32B, 80, 2],
    [QWEN_32B, 96, 1],
    [UNKNOWN_8B, 80, 1],
  ])('%o on cards of %i GiB: %i', (model, memoryGib, gpus) => {
    expect(serverGpus(model, box(memoryGib), 1)).toBe(gpus);
  });

  test('are no fewer than asked for, and never more than a box has', () => {
    expect(serverGpus(QWEN_8B, box(80), 4)).toBe(4);
    expect(serverGpus(QWEN_32B, box(24, 2), 1)).toBeNull();
  });
});

describe('GPUs of a training', () => {
  // 8 times the weights over the GPUs of an agent, in three quarters of a card.
  test.each([
    [[QWEN_8B], 80, 8, 8],
    [[QWEN_8B], 80, 4, 4],
    [[QWEN_8B], 80, 2, null],
    [[QWEN_8B, QWEN_8B], 80, 8, 4],
    [[QWEN_14B, QWEN_14B], 80, 8, 4],
    [[QWEN_14B, QWEN_14B, QWEN_14B], 80, 8, null],
    [[QWEN_14B, QWEN_14B, QWEN_14B], 180, 8, 2],
    [[QWEN_32B], 80, 8, null],
    [[QWEN_32B], 141, 8, 8],
  ])('%o on cards of %i GiB, %i in a box: %s an agent', (models, memoryGib, perNode, gpus) => {
    expect(trainingGpus(models, box(memoryGib, perNode), 'marti')).toBe(gpus);
  });
});

describe('places with GPUs', () => {
  test('a laptop is not one', () => {
    expect(gpuPools([THIS_COMPUTER], new Map())).toEqual([]);
  });

  test('cards in use, kept by others or reserved by oneself are counted as they are', () => {
    const [pool] = gpuPools([GPU_MACHINE], new Map());
    // Of 8 one has fallen off the bus, four are used, one is reserved by another user.
    expect(pool).toMatchObject({ machineId: 'gpu-a', perNode: 7, total: 7, memoryGib: 80 });
    expect(pool?.free).toBe(2);
  });

  test('a card that is cut into slices is not one to train on', () => {
    const card = sampleGpu(0, { memoryTotalMib: 81_920 });
    const slice = (at: number) => sampleGpu(at, { sliceOf: card.id, memoryTotalMib: 40_192 });
    const machine = gpuMachine('mig', 0, 0);
    const gpus = machine.gpus === null ? null : { ...machine.gpus, gpus: [card, slice(1), slice(2)] };
    expect(gpuPools([{ ...machine, gpus }], new Map())).toMatchObject([{ perNode: 2, memoryGib: 39 }]);
  });

  test('of two kinds in one machine the larger together counts', () => {
    const machine = gpuMachine('mixed', 4, 24_564);
    const large = sampleGpu(9, { id: 'GPU-large', memoryTotalMib: 143_771 });
    const gpus = machine.gpus === null ? null : { ...machine.gpus, gpus: [...machine.gpus.gpus, large] };
    expect(gpuPools([{ ...machine, gpus }], new Map())).toMatchObject([{ perNode: 1, memoryGib: 140 }]);
  });

  test.each([
    ['h100', 80, false],
    ['nvidia_a100_80gb_pcie', 80, false],
    ['a100', 40, false],
    ['h200', 141, false],
    ['', 80, true],
  ])('a cluster whose GPUs are called "%s" has cards of %i GiB', (type, memoryGib, isAssumed) => {
    const pools = gpuPools([slurmMachine('slurm')], new Map([['slurm', clusterOf(type, 4)]]));
    expect(pools).toMatchObject([{ perNode: 8, total: 32, isSlurm: true, memoryGib, isAssumed }]);
  });

  test('a cluster that has not answered offers nothing', () => {
    expect(gpuPools([slurmMachine('slurm')], new Map())).toEqual([]);
  });
});

describe('placement', () => {
  const pools = gpuPools([gpuMachine('a', 2, 81_559), gpuMachine('b', 4, 81_559)], new Map());

  test('spreads servers by how much is asked of each machine', () => {
    const placement = createPlacement(pools, 'marti');
    const chosen = Array.from({ length: 6 }, () => placement.server(QWEN_8B, 1, null)?.pool.machineId);
    expect(chosen.filter((id) => id === 'a')).toHaveLength(2);
    expect(chosen.filter((id) => id === 'b')).toHaveLength(4);
  });

  test('keeps a server where its checkpoint is', () => {
    const placement = createPlacement(pools, 'marti');
    for (let attempt = 0; attempt < 3; attempt++)
      expect(placement.server(QWEN_8B, 1, 'a')?.pool.machineId).toBe('a');
    expect(placement.server(QWEN_8B, 1, 'elsewhere')).toBeNull();
  });

  test('takes free GPUs before those that have to be waited for', () => {
    const busy = pools.map((pool) => (pool.machineId === 'b' ? { ...pool, free: 0 } : pool));
    const placement = createPlacement(busy, 'marti');
    for (let attempt = 0; attempt < 3; attempt++)
      expect(placement.server(QWEN_8B, 1, null)?.pool.machineId).toBe('a');
  });
});
