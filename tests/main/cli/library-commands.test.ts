import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import type { Recording, WorkbenchEvent } from '../../../preload/contract';
import { typeCommand } from '../../support/typed-command';

const recording = (samples: number): Recording => ({
  id: 'answers',
  name: 'answers',
  benchmarkId: 'sums',
  problems: 1,
  samples,
  refinements: 0,
  fewestSamples: samples,
  mostSamples: samples,
  digest: '',
  source: '',
  importedAt: '',
});

test.each([
  [1, 'answers  1 sample of sums\n'],
  [2, 'answers  2 samples of sums\n'],
])('%d of a thing is counted in words', async (samples, line) => {
  const call = dispatcher(
    { 'recording.list': async () => ({ ok: true, value: [recording(samples)] }) },
    (error) => {
      throw error;
    },
  );
  const { out } = await typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'recordings', 'list');
  expect(out).toBe(line);
});
