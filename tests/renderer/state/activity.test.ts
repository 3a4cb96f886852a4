import { expect, it } from 'vitest';
import { stepIdsOf, waitingStudies } from '../../../renderer/state';
import { sampleReproduction } from '../../support/sample-exhibits';
import { sampleStudyView } from '../../support/sample-study';

it('knows the studies and trainings of reproductions, so that none stands twice', () => {
  const done = sampleReproduction({ exhibitId: 'homogeneous', done01: 1 });
  const trainings = done.steps.flatMap(({ trainingId }) => trainingId ?? []);
  expect(trainings.length).toBeGreaterThan(0);
  expect(stepIdsOf([done])).toEqual({ studies: new Set(['study-1']), trainings: new Set(trainings) });
  expect(stepIdsOf([sampleReproduction({ exhibitId: 'homogeneous', done01: 0 })]).trainings.size).toBe(0);
});

it('a running reproduction goes on by itself with its interrupted study; nobody is asked to', () => {
  const interrupted = { ...sampleStudyView(), state: { kind: 'interrupted' } } as const;
  const running = sampleReproduction({ exhibitId: 'homogeneous', done01: 0.9 });
  expect(running.steps.some(({ studyId }) => studyId === 'study-1')).toBe(true);
  const paused = { ...running, state: { kind: 'paused' } } as const;
  const failed = { ...interrupted, state: { kind: 'failed', message: 'No space left.' } } as const;
  expect(waitingStudies([interrupted], [running])).toEqual([]);
  expect(waitingStudies([interrupted], [paused])).toEqual([interrupted]);
  expect(waitingStudies([interrupted], [])).toEqual([interrupted]);
  expect(waitingStudies([failed], [running])).toEqual([failed]);
});
