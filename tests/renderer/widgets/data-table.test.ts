import { expect, test } from 'vitest';
import { type Column, fittingColumns } from '../../../renderer/widgets/data-table';

const columns: readonly Column<number>[] = [
  { id: 'always', label: 'Always', track: '50px', cell: String },
  { id: 'wide', label: 'Wide', track: '50px', from: 500, cell: String },
];
const shown = (width: number) => fittingColumns(columns, width, [1]).map(({ id }) => id);

test('a column that asks for room is left out of a narrow table', () => {
  expect(shown(499)).toEqual(['always']);
  expect(shown(500)).toEqual(['always', 'wide']);
});

test('columns that do not fit are left out, the last ones first, and never the first or a fixed one', () => {
  const action: Column<number> = { id: 'action', label: '', track: '60px', isFixed: true, cell: String };
  const grown = { ...columns[0], id: 'grown', track: 'minmax(100px, 2fr)', label: 'Grown', cell: String };
  const ids = (width: number) =>
    fittingColumns([grown, columns[0] ?? grown, action], width, [1]).map(({ id }) => id);
  // Each with the gap to the next, and the sides of the row.
  expect(ids(264)).toEqual(['grown', 'always', 'action']);
  expect(ids(263)).toEqual(['grown', 'action']);
  expect(ids(40)).toEqual(['grown', 'action']);
});

test('before its width is known a table has all columns', () => {
  expect(shown(0)).toEqual(['always', 'wide']);
});

test('a column that is empty in every row is left out', () => {
  const even: Column<number> = {
    id: 'even',
    label: 'Even',
    track: '50px',
    isEmpty: (n) => n % 2 === 1,
    cell: String,
  };
  const ids = (rows: readonly number[]) => fittingColumns([even], 0, rows).map(({ id }) => id);
  expect(ids([1, 3])).toEqual([]);
  expect(ids([1, 2])).toEqual(['even']);
  expect(ids([])).toEqual(['even']);
});

test('chosen columns are there at any width, and fixed ones whatever is chosen', () => {
  const fixed: Column<number> = { id: 'name', label: 'Name', track: '50px', isFixed: true, cell: String };
  const ids = (chosen: readonly string[]) =>
    fittingColumns([fixed, ...columns], 100, [1], chosen).map(({ id }) => id);
  expect(ids(['wide'])).toEqual(['name', 'wide']);
  expect(ids([])).toEqual(['name']);
});
