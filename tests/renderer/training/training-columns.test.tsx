import { expect, test } from 'vitest';
import { trainingColumns } from '../../../renderer/training/training-columns';
import { fittingColumns } from '../../../renderer/widgets/data-table';

const columns = trainingColumns((machineId) => machineId);
const shown = (width: number) => fittingColumns(columns, width, []).map(({ id }) => id);

test.each([828, 940, 1_010, 1_140, 1_232, 1_330])(
  'in %i px every column that asks for no more room fits',
  (width) => {
    expect(shown(width)).toEqual(columns.filter(({ from = 0 }) => from <= width).map(({ id }) => id));
  },
);

test('in a small window the progress leaves its room to the names', () => {
  expect(shown(828)).toEqual(['name', 'state', 'reward', 'pass', 'made']);
});
