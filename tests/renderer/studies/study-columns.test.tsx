import { expect, test } from 'vitest';
import { studyColumns } from '../../../renderer/studies/study-columns';
import { fittingColumns } from '../../../renderer/widgets/data-table';

/** The button that chooses the columns. */
const CHOICE = 18;
const columns = studyColumns(new Set(), () => {});
const shown = (width: number) => fittingColumns(columns, width, [], null, CHOICE).map(({ id }) => id);

test.each([756, 800, 960, 990, 1_110, 1_222, 1_330, 1_390, 1_478, 1_608])(
  'in %i px every column that asks for no more room fits',
  (width) => {
    expect(shown(width)).toEqual(columns.filter(({ from = 0 }) => from <= width).map(({ id }) => id));
  },
);

test('the best result stays in half a screen, where the progress goes', () => {
  expect(shown(648)).toEqual(['pick', 'name', 'state', 'headline', 'problems']);
});
