import { expect, test } from 'vitest';
import { exportedGpus, onCurveAxis } from '../../../../main/trainings/logic/gpu-curves';
import { CurveStore } from '../../../../main/trainings/logic/watch/curve-store';
import type { GpuCurves } from '../../../../preload/contract';

/** Steps 1 to 3 at 100, 120 and 160 s. */
function clockOf(source: 'metrics' | 'log') {
  const store = new CurveStore();
  for (const [step, seconds] of [
    [1, 100],
    [2, 120],
    [3, 160],
  ] as const) {
    const row = { agentId: 'one', part: 'train', key: 'reward', dataset: null, step, value: 0 } as const;
    store.add(source, row, seconds * 1_000);
  }
  return store.clock();
}

const curves: GpuCurves = {
  fromMs: 90_000,
  gpus: [
    {
      gpu: 3,
      seconds: [0, 10, 15, 20, 45, 80],
      use: [1, 10, 30, 50, null, 50],
      memoryMib: [1, 1, 1, 1, 1, 1],
      powerW: [null, null, null, null, null, null],
      temperatureC: [30, 30, 30, 30, 30, 30],
      memoryTotalMib: 100,
    },
  ],
};

test('samples of GPUs lie between the steps around them, and outside of them on the time alone', () => {
  const { fromMs, gpus } = onCurveAxis(curves, clockOf('metrics'));
  expect(fromMs).toBe(100_000);
  expect(gpus[0]?.seconds).toEqual([-10, 0, 5, 10, 35, 70]);
  expect(gpus[0]?.steps).toEqual([null, 1, 1.25, 1.5, 2.375, null]);
});

test('beside a log, whose clock is its own, they keep the time of the job', () => {
  expect(onCurveAxis(curves, clockOf('log'))).toEqual(curves);
});

test('an export has the mean of each step, and no quantity that the driver does not tell', () => {
  const exported = exportedGpus(onCurveAxis(curves, clockOf('metrics')));
  expect(exported.map(({ key }) => key)).toEqual([
    'gpu/3/use_percent',
    'gpu/3/memory_mib',
    'gpu/3/temperature_c',
  ]);
  expect(exported[0]).toMatchObject({ part: 'other', steps: [1, 2], values: [10, 40], seconds: [0, 7.5] });
});
