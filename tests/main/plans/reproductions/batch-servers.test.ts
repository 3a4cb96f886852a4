import { expect, test } from 'vitest';
import { failed, ok } from '../../../../main/base';
import { createBatchServers } from '../../../../main/plans/reproductions/batch-servers';
import { sampleReproduction } from '../../../support/sample-reproduction';

test('the servers of a batch are leased at once, after what is noted of each', async () => {
  const calls: string[] = [];
  const checkpoint = { id: 'c', agentId: 'weak', step: 1, path: '/c', at: null, bytes: 1, canServe: true };
  const { bringUp } = createBatchServers({
    trainings: { checkpoints: async () => ok([checkpoint]) },
    servers: { views: () => [] },
    jobs: { list: () => [] },
    registry: { update: async () => failed({ code: 'unavailable', message: 'Pocket needs no launch' }) },
    clock: { now: () => 0 },
    store: {
      note: async (_id, [step]) => {
        // As a write to the disk, which takes other turns of the event loop.
        await new Promise(setImmediate);
        calls.push(`note ${step}`);
      },
      fail: async (_id, [step]) => void calls.push(`fail ${step}`),
    },
    leases: {
      acquire: (_id, step) => void calls.push(`lease ${step}`),
      stateOf: () => null,
      release: async () => undefined,
      dispose: async () => undefined,
    },
    onChange: () => undefined,
  });
  const trained = { trainingId: 't' };
  const reproduction = sampleReproduction({ 'train:a': trained, 'train:b': trained });
  const steps = reproduction.plan.steps.filter(({ kind }) => kind === 'serve');
  expect(await bringUp(reproduction, steps)).toBe(false);
  expect(calls).toEqual(['note serve:a', 'note serve:b', 'lease serve:a', 'lease serve:b']);
});
