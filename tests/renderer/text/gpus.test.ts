import { expect, test } from 'vitest';
import { gpuHolders } from '../../../renderer/text/gpus';
import { sampleLab } from '../../support/sample-jobs';

test('the holders of GPUs are named, whoever has most first, and free ones are left out', () => {
  const lab = sampleLab().find(({ spec }) => spec.id === 'gpu1');
  if (lab === undefined) throw new Error('The sample has no gpu1');
  expect(gpuHolders(lab)).toBe('you × 2 · mira · reserved by user3 · unhealthy');
  expect(gpuHolders({ ...lab, gpus: null })).toBe('');
});
