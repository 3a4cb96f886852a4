import { expect, test } from 'vitest';
import { pocketTrainingSchema } from '../../../preload/contract';
import { trainingLines } from '../../../renderer/text/trainings';
import { trainingColumns } from '../../../renderer/training/training-columns';
import { fittingColumns } from '../../../renderer/widgets/data-table';

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

test('in a small window the progress leaves its room to the names', () => {
  expect(shown(828)).toEqual(['name', 'state', 'reward', 'pass', 'made']);
});
