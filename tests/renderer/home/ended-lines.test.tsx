import { expect, test } from 'vitest';
import { EndedExperiment, EndedReproduction, EndedTraining } from '../../../renderer/home/ended-lines';
import { SCENES } from '../../support/preview/scenes';
import { renderScreen } from '../../support/rendered-screen';
import { sampleReproduction } from '../../support/sample-exhibits';
import { sampleExperiment } from '../../support/sample-experiments';
import { samplePocketTraining, sampleTrainings } from '../../support/sample-trainings';

test('the mean of a training is of its agents: the row of their team is none of them', async () => {
  const rate = (agentId: string | null, value: number) => ({
    agentId,
    key: 'pass@1',
    part: 'evaluation' as const,
    value,
  });
  const latest = [rate('reader', 0.2), rate('tracer', 0.3), rate(null, 0.25)];
  const { text } = await renderScreen(<EndedTraining training={samplePocketTraining({ latest }, 60)} />);
  expect(text()).toMatch(/25\.0 % Pass@1, held out, mean of 2 agents/);
});

test('a training that stopped before it was evaluated has its number on the problems that it learned from', async () => {
  const latest = [{ agentId: 'reader', key: 'pass@1', part: 'train' as const, value: 0.421 }];
  const { text } = await renderScreen(<EndedTraining training={samplePocketTraining({ latest }, 60)} />);
  expect(text()).toContain('42.1 % Training Pass@1');
});

test('a training has a small curve', async () => {
  const training = sampleTrainings().find(({ id }) => id === 'training-stopped');
  if (training === undefined) throw new Error('no such training');
  await renderScreen(<EndedTraining training={training} />, SCENES.training);
  expect(document.querySelector('svg[aria-label="Pass@1 over the training"] path')).not.toBeNull();
});

test('an experiment has the number of its best row', async () => {
  const { experiment } = sampleExperiment('ablations', 40, { kind: 'done' });
  const { text, until } = await renderScreen(<EndedExperiment experiment={experiment} />, SCENES.experiments);
  await until(/, best of \d+/);
  expect(text()).toMatch(/\d\d\.\d % Team Pass@N, N = \d+, \d+ problems/);
});

test('what was asked of an exhibit stands beside its title, not under the number, where it has no room', async () => {
  const whole = sampleReproduction({ exhibitId: 'homogeneous', done01: 1 });
  const view = { ...whole, order: { ...whole.order, problems: 20, seeds: [11] } };
  const { text, until } = await renderScreen(<EndedReproduction view={view} />, SCENES.exhibits);
  await until(/, 20 problems, 1 seed/);
  expect(text()).toMatch(/of \d+ values measured(?!,)/);
});
