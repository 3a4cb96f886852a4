import { expect, test } from 'vitest';
import { type Column, fittingColumns } from '../../../renderer/widgets/data-table';

const columns: readonly Column<number>[] = [
  { id: 'always', label: 'Always', track: '50px', cell: String },
  { id: 'wide', label: 'Wide', track: '50px', from: 500, cell: String },
];
const shown = (width: number) => fittingColumns(columns, width).map(({ id }) => id);

test('a column that asks for room is left out of a narrow table', () => {
  expect(shown(499)).toEqual(['always']);
  expect(shown(500)).toEqual(['always', 'wide']);
});

test('before its width is known a table has all columns', () => {
  expect(shown(0)).toEqual(['always', 'wide']);
});
