import { expect, test } from 'vitest';
import { freeGpusText } from '../../../renderer/text/gpus';
import { sampleLab } from '../../support/sample-jobs';

test('the free GPUs are counted over connected machines, and said by machine', () => {
  const lab = sampleLab();
  expect(freeGpusText(lab)).toMatch(/^\d+ of \d+ GPUs free: gpu1 \d+/);
  const away = lab.map((machine) => ({
    ...machine,
    connection: { kind: 'off' as const },
  }));
  expect(freeGpusText(away)).toBeNull();
});
