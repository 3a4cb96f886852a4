import { expect, test } from 'vitest';
import { movedPlan } from '../../../../../main/plans/logic/reproductions/moved-plan';
import { DONE, sampleReproduction } from '../../../../support/sample-reproduction';

const machinesOf = (one: ReturnType<typeof movedPlan>) =>
  one.ok
    ? Object.fromEntries(one.value.planned.plan.steps.map(({ id, machineId }) => [id, machineId]))
    : one.error;

test('a training moves alone, and what is done stays where it was', () => {
  const moved = movedPlan(sampleReproduction(), 'train:b', 'lab');
  expect(moved).toMatchObject({
    ok: true,
    value: { training: { machineId: 'lab' }, serves: [], searches: [] },
  });
  expect(machinesOf(moved)).toMatchObject({ 'train:a': null, 'train:b': 'lab', 'serve:b': null });
  expect(movedPlan(sampleReproduction({ 'train:b': DONE }), 'train:b', 'lab')).toMatchObject({
    ok: false,
    error: { code: 'conflict' },
  });
  expect(movedPlan(sampleReproduction(), 'cell:base.pass-1', 'lab').ok).toBe(false);
  expect(movedPlan(sampleReproduction(), 'train:c', 'lab').ok).toBe(false);
});

test('a search moves with its servers, and with it the open searches that share one', () => {
  const moved = movedPlan(sampleReproduction({ 'search:a': DONE }), 'search:ab', 'lab');
  if (!moved.ok) throw new Error(moved.error.message);
  expect(moved.value.serves).toEqual(['serve:a', 'serve:b']);
  // Runs of pocket servers name their machine, so an open one restarts; a done one is kept.
  expect(moved.value.searches).toEqual(['search:ab']);
  const work = moved.value.planned.work.get('search:ab');
  expect(work?.kind === 'search' && work.servers.map(({ place }) => place)).toEqual([
    { kind: 'pocket', family: 'weak', machineId: 'lab' },
    { kind: 'pocket', family: 'weak', machineId: 'lab' },
  ]);
  expect(machinesOf(moved)).toMatchObject({ 'search:a': null, 'search:ab': 'lab', 'serve:a': 'lab' });
});
