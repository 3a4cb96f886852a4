import { expect, test } from 'vitest';
import { nextBatch } from '../../../../main/plans/logic/reproductions/search-batch';
import { blockedSteps, isOver, openSteps } from '../../../../main/plans/logic/step-status';
import { DONE, FAILED, sampleReproduction } from '../../../support/sample-reproduction';

const idsOf = (steps: readonly { readonly id: string }[] | undefined) => steps?.map(({ id }) => id);

test('a failure blocks what rests on it, near and far, and nothing else', () => {
  const one = sampleReproduction({ 'train:a': DONE, 'train:b': FAILED });
  expect([...blockedSteps(one)]).toEqual(
    ['serve:b', 'search:ab', 'grade:ab', 'metrics:ab', 'cell:team.pass-1'].map((id) => [id, 'train:b']),
  );
  expect(idsOf(openSteps(one, 'search'))).toEqual(['search:a']);
});

test('no wave is worked on before its trainings are done; the first that is ready goes first', () => {
  expect(nextBatch(sampleReproduction())).toBeNull();
  const first = nextBatch(sampleReproduction({ 'train:a': DONE }));
  expect(first?.number).toBe(0);
  expect(idsOf(first?.searches)).toEqual(['search:a']);
  expect(idsOf(first?.serves)).toEqual(['serve:a']);
  const both = { 'train:a': DONE, 'train:b': DONE };
  expect(nextBatch(sampleReproduction(both))?.number).toBe(0);
  const second = nextBatch(sampleReproduction({ ...both, 'search:a': DONE }));
  expect(idsOf(second?.searches)).toEqual(['search:ab']);
  expect(idsOf(second?.serves)).toEqual(['serve:a', 'serve:b']);
});

test('a wave that has begun is finished before an earlier one that has become ready', () => {
  const begun = { state: { kind: 'begun' }, studyId: 's' } as const;
  const one = sampleReproduction({ 'train:a': DONE, 'train:b': DONE, 'search:ab': begun });
  expect(nextBatch(one)?.number).toBe(1);
});

test('it is over when all steps are done or blocked, even if a server that is no longer needed was never started', () => {
  const doneSteps = ['search:a', 'grade:a', 'metrics:a', 'cell:base.pass-1', 'serve:a', 'train:a'];
  const done = Object.fromEntries(doneSteps.map((id) => [id, DONE]));
  expect(isOver(sampleReproduction({ ...done, 'train:b': DONE }))).toBe(false);
  expect(isOver(sampleReproduction({ ...done, 'train:b': DONE, 'search:ab': FAILED }))).toBe(true);
  expect(isOver(sampleReproduction({ ...done, 'train:b': FAILED }))).toBe(true);
});
