import { expect, test } from 'vitest';
import { GPU_QUANTITIES } from '../../../renderer/shared/gpus/gpu-lines';
import { sampleGpuCurves } from '../../support/sample-gpu-curves';

const { gpus } = sampleGpuCurves(1);
const mostOf = (title: string, of: typeof gpus) =>
  GPU_QUANTITIES.find((quantity) => quantity.title === title)?.mostOn?.(of);

test('use is drawn up to 100 %, memory up to what the GPUs have: an idle GPU looks idle', () => {
  expect(mostOf('GPU use, %', gpus)).toBe(100);
  expect(mostOf('GPU memory, GiB', gpus)).toBeCloseTo(79.65, 2);
});

test('where a driver does not say how much memory there is, the axis fits the values', () => {
  expect(
    mostOf(
      'GPU memory, GiB',
      gpus.map((gpu) => ({ ...gpu, memoryTotalMib: null })),
    ),
  ).toBeUndefined();
});
