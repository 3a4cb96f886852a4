import { expect, it } from 'vitest';
import { stepIdsOf } from '../../../renderer/state';
import { sampleReproduction } from '../../support/sample-exhibits';

it('knows the studies and trainings of reproductions, so that none stands twice', () => {
  const done = sampleReproduction({ exhibitId: 'homogeneous', done01: 1 });
  const trainings = done.steps.flatMap(({ trainingId }) => trainingId ?? []);
  expect(trainings.length).toBeGreaterThan(0);
  expect(stepIdsOf([done])).toEqual({ studies: new Set(['study-1']), trainings: new Set(trainings) });
  expect(stepIdsOf([sampleReproduction({ exhibitId: 'homogeneous', done01: 0 })]).trainings.size).toBe(0);
});
