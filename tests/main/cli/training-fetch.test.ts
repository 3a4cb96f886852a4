import { expect, test } from 'vitest';
import { dispatcher } from '../../../main/app/dispatch';
import { Emitter } from '../../../main/base';
import type { TrainingCheckpoint, WorkbenchEvent } from '../../../preload/contract';
import { orderedTraining } from '../../support/sample-requests';
import { typeCommand } from '../../support/typed-command';

const checkpoint = (step: number, copy?: string): TrainingCheckpoint => ({
  ...{ id: `small-${step}`, agentId: 'small', step, path: `/home/me/trainings/x/checkpoints/small-${step}` },
  ...{ at: null, bytes: 538_000_000, canServe: true },
  ...(copy === undefined ? {} : { copy }),
});

/** A training of language models on "gpu-a" with a checkpoint that was fetched, and one that was not. */
async function typed(...words: readonly string[]) {
  const view = { ...orderedTraining('model'), machineId: 'gpu-a' };
  const call = dispatcher(
    {
      'job.probe': async () => ({ ok: true, value: [] }),
      'training.list': async () => ({ ok: true, value: [view] }),
      'training.checkpoints': async () => ({
        ok: true,
        value: [checkpoint(10, '/here/small-10'), checkpoint(20)],
      }),
      'training.fetchCheckpoint': async ({ checkpointId }) => ({
        ok: true,
        value: { path: `/here/${checkpointId}` },
      }),
    },
    (error) => {
      throw error;
    },
  );
  return typeCommand({ call, events: new Emitter<WorkbenchEvent>() }, 'trainings', ...words);
}

const id = orderedTraining('model').id;

test('checkpoints on another machine are listed with that machine until they are fetched', async () => {
  const { out } = await typed('checkpoints', id);
  expect(out).toMatch(/small-10 .* \/here\/small-10\n/);
  expect(out).toMatch(/small-20 .*538\.0 MB .* gpu-a:\/home\/me\/trainings\/x\/checkpoints\/small-20\n/);
});

test('fetching one says its size first, and prints its path here', async () => {
  const first = await typed('fetch', id, 'small-20');
  expect(first).toMatchObject({ code: 0, out: '/here/small-20\n' });
  expect(first.err).toContain('Copying 538.0 MB from gpu-a:/home/me/');
  const again = await typed('fetch', id, 'small-10');
  expect(again).toMatchObject({ code: 0, out: '/here/small-10\n', err: '' });
});
