import { expect, test } from 'vitest';
import { runningWork } from '../../../renderer/shell/running-work';
import { sampleReproduction } from '../../support/sample-exhibits';
import { sampleStudyView } from '../../support/sample-study';
import { sampleTrainings } from '../../support/sample-trainings';

const none = { reproductions: [], experiments: [], studies: [], trainings: [] };

test('a reproduction and a training are running work as a study is, the work that contains most first', () => {
  const reproduction = sampleReproduction({ exhibitId: 'homogeneous', done01: 0.5 });
  const study = { ...sampleStudyView({ name: 'Quickstart' }), state: { kind: 'running' as const } };
  const training = sampleTrainings().find(({ state }) => state.kind === 'running');
  if (training === undefined) throw new Error('no training of the sample runs');
  const work = runningWork({
    ...none,
    reproductions: [reproduction],
    studies: [study],
    trainings: [training],
  });
  expect(work.map(({ name }) => name)).toEqual([reproduction.title, 'Quickstart', training.name]);
  expect(work[0]).toMatchObject({ share: reproduction.progress.share01, status: null });
});

test('work that ended, or waits for somebody, is not running', () => {
  const failed = { ...sampleReproduction({ exhibitId: 'homogeneous', done01: 0.5 }) };
  const stuck = { ...failed, state: { kind: 'failed' as const, message: 'A step failed.' } };
  const interrupted = { ...sampleStudyView({}), state: { kind: 'interrupted' as const } };
  expect(runningWork({ ...none, reproductions: [stuck], studies: [interrupted] })).toEqual([]);
});

test('a study that is being paused says so instead of a share', () => {
  const pausing = { ...sampleStudyView({}), state: { kind: 'pausing' as const } };
  expect(runningWork({ ...none, studies: [pausing] })).toMatchObject([{ status: 'Pausing' }]);
});

test('a training whose updates are made says what it still does instead of a full bar', () => {
  const training = sampleTrainings().find(({ state }) => state.kind === 'running');
  if (training === undefined) throw new Error('no training of the sample runs');
  const evaluated = { ...training, step: 60, steps: 60, stage: 'evaluation, 60 of 100 problems' };
  expect(runningWork({ ...none, trainings: [evaluated] })).toMatchObject([
    { share: null, status: 'Running: evaluation, 60 of 100 problems' },
  ]);
  expect(runningWork({ ...none, trainings: [{ ...evaluated, step: 30 }] })).toMatchObject([
    { share: 0.5, status: null },
  ]);
});
