import { expect, test } from 'vitest';
import { pocketTrainingSchema } from '../../../preload/contract';
import { PLAIN_POCKET_TRAINING } from '../../../preload/contract/plans';
import { trainingLines } from '../../../renderer/text/trainings';
import { trainingColumns } from '../../../renderer/training/training-columns';
import { fittingColumns } from '../../../renderer/widgets/data-table';
import { renderScreen } from '../../support/rendered-screen';
import { samplePocketTraining } from '../../support/sample-trainings';

const columns = trainingColumns((machineId) => machineId);
const shown = (width: number) => fittingColumns(columns, width, []).map(({ id }) => id);

test.each([828, 960, 1_016, 1_144, 1_218, 1_312])(
  'in %i px every column that asks for no more room fits',
  (width) => {
    expect(shown(width)).toEqual(columns.filter(({ from = 0 }) => from <= width).map(({ id }) => id));
  },
);

test('a training of an exhibit says its method and its seed first; another one has the name that it was given', () => {
  const title = 'GRPO, all-wrong groups count, reader-large + tracer-large';
  const agents = ['reader-large', 'tracer-large'].map((id) => ({ id, name: id }));
  const spec = pocketTrainingSchema.parse({
    kind: 'pocket',
    method: 'grpo-all-wrong',
    families: ['reader', 'tracer'],
    seed: 12,
  });
  const ofExhibit = { name: `Train ${title}, seed 12`, title, agents, spec, reproductionId: 'r' };
  expect(trainingLines(ofExhibit)).toEqual([title, 'seed 12, reader-large + tracer-large']);
  expect(trainingLines({ name: 'My training', title, agents, spec })).toEqual(['My training', title]);
});

test('trainings that differ in their seed, or in their row of an experiment, differ where a list cuts them', () => {
  const spec = pocketTrainingSchema.parse({ kind: 'pocket', method: 'rs2', families: ['reader'], seed: 12 });
  const training = { title: 'RS², reader', agents: [{ id: 'reader', name: 'reader' }], spec };
  const name = 'Five methods, two families: RS², no shaping, seed 12';
  expect(trainingLines({ ...training, name, experimentId: 'five' })).toEqual([
    'RS², no shaping',
    'seed 12, Five methods, two families',
  ]);
  expect(trainingLines({ ...training, name: 'RS², reader, seed 12' })).toEqual([
    'RS², reader',
    'seed 12, reader',
  ]);
});

test('in a small window the progress leaves its room to the names', () => {
  expect(shown(828)).toEqual(['name', 'state', 'reward', 'pass', 'made']);
});

test('a share of validation problems is not shown as if it were one of test problems', async () => {
  const column = columns.find(({ id }) => id === 'held-out');
  const latest = [{ agentId: 'reader', key: 'pass@1', part: 'evaluation' as const, value: 0.2 }];
  const training = samplePocketTraining({ latest }, 60);
  const textOf = async (split: 'test' | 'validation') => {
    const evaluation = { ...PLAIN_POCKET_TRAINING.evaluation, problems: 20, split };
    const spec = pocketTrainingSchema.parse({
      kind: 'pocket',
      method: 'rs2',
      families: ['reader'],
      seed: 1,
      evaluation,
    });
    const { text } = await renderScreen(<p>{column?.cell({ ...training, spec })}</p>);
    return text();
  };
  expect(await textOf('test')).toContain('(20)');
  expect(await textOf('validation')).toContain('(20 val.)');
});
