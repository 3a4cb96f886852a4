import { describe, expect, it } from 'vitest';
import { cellKey } from '../../../preload/contract/plans';
import { commonReasons, neighbourCell, tableLayout } from '../../../renderer/exhibits/table-layout';
import {
  SAMPLE_EXHIBITS,
  sampleExhibit,
  sampleReproduction,
  sampleResult,
} from '../../support/sample-exhibits';

const HOMOGENEOUS = sampleExhibit('homogeneous');
const HALF = sampleResult(
  HOMOGENEOUS,
  'pocket',
  sampleReproduction({ exhibitId: 'homogeneous', done01: 0.5 }),
);

describe('the layout of an exhibit', () => {
  it.each(SAMPLE_EXHIBITS.map(({ exhibit }) => exhibit.id))('shows every cell of %s once', (id) => {
    const exhibit = sampleExhibit(id);
    const keys = tableLayout(exhibit, 'paper', null).rows.flatMap(({ cells }) =>
      cells.flatMap((cell) => cell?.key ?? []),
    );
    expect(keys.toSorted()).toEqual(exhibit.cells.map(cellKey).toSorted());
  });

  it('says of which columns the numbers are percent', () => {
    const rates = tableLayout(HOMOGENEOUS, 'paper', null);
    expect(rates.inPercent).toEqual(rates.columns.map(() => true));
    const [first] = HOMOGENEOUS.columns;
    const cells = HOMOGENEOUS.cells.map((cell) =>
      cell.column === first?.id
        ? { ...cell, measure: { kind: 'diversity' as const, measure: 'nauadc' as const, k: null } }
        : cell,
    );
    expect(tableLayout({ ...HOMOGENEOUS, cells }, 'paper', null).inPercent).toEqual(
      rates.columns.map(({ id }) => id !== first?.id),
    );
  });

  it('puts what was measured into its own cell', () => {
    for (const { cells } of tableLayout(HOMOGENEOUS, 'paper', HALF).rows) {
      for (const at of cells) expect(at?.filled && cellKey(at.filled)).toBe(at?.key);
    }
  });

  it('heads a group of rows once, at its first', () => {
    const heads = tableLayout(HOMOGENEOUS, 'paper', null).rows.flatMap(({ group }) => group ?? []);
    expect(heads).toEqual(['Qwen3-8B', 'AReaL-8B', 'Qwen3-14B', 'AReaL-14B', 'DeepCoder-14B']);
  });

  it('calls every row by its own name where it stands alone', () => {
    const pocket = tableLayout(HOMOGENEOUS, 'pocket', null).rows;
    expect(pocket[0]?.group).toBe('reader, in the place of Qwen3-8B');
    const names = tableLayout(HOMOGENEOUS, 'paper', null).rows.map(({ name }) => name);
    expect(names[1]).toBe('Qwen3-8B, Vanilla GRPO');
    expect(new Set(names).size).toBe(names.length);
  });

  it('spans heads over their columns, and has none where no column has one', () => {
    expect(tableLayout(sampleExhibit('diversity'), 'paper', null).columnGroups).toEqual([
      { label: 'Diversity', span: 7 },
      { label: 'Accuracy', span: 1 },
    ]);
    expect(tableLayout(HOMOGENEOUS, 'paper', null).columnGroups).toEqual([]);
  });

  it('knows of which columns the paper gives a value', () => {
    expect(tableLayout(HOMOGENEOUS, 'paper', null).hasPaper).toEqual([true, true, true]);
    const diversity = tableLayout(sampleExhibit('diversity'), 'paper', null);
    expect(diversity.columns.filter((_, at) => diversity.hasPaper[at]).map(({ id }) => id)).toEqual([
      'pass-1-mcts',
    ]);
  });
});

describe('walking the cells', () => {
  const [row, column] = [HOMOGENEOUS.rows[0], HOMOGENEOUS.columns[0]];
  const first = `${row?.id}.${column?.id}`;

  it('goes to the neighbour and stays at the edge', () => {
    const layout = tableLayout(HOMOGENEOUS, 'paper', null);
    expect(neighbourCell(layout, first, 'right')).toBe(`${row?.id}.${HOMOGENEOUS.columns[1]?.id}`);
    expect(neighbourCell(layout, first, 'down')).toBe(`${HOMOGENEOUS.rows[1]?.id}.${column?.id}`);
    expect(neighbourCell(layout, first, 'left')).toBe(first);
    expect(neighbourCell(layout, first, 'up')).toBe(first);
  });

  it('steps over a gap of the paper', () => {
    const gap = `${HOMOGENEOUS.rows[1]?.id}.${column?.id}`;
    const holed = { ...HOMOGENEOUS, cells: HOMOGENEOUS.cells.filter((cell) => cellKey(cell) !== gap) };
    expect(neighbourCell(tableLayout(holed, 'paper', null), first, 'down')).toBe(
      `${HOMOGENEOUS.rows[2]?.id}.${column?.id}`,
    );
  });
});

describe('reasons against comparing', () => {
  it('says once what holds for every measured value', () => {
    expect(commonReasons(HALF)).toEqual([expect.stringContaining('Pocket scale')]);
  });

  it('says nothing in common as soon as one value may be compared', () => {
    const [done] = HALF.cells.filter(({ state }) => state.kind === 'done');
    const cells = HALF.cells.map((cell) => (cell === done ? { ...cell, notComparable: [] } : cell));
    expect(commonReasons({ ...HALF, cells })).toEqual([]);
  });

  it('says nothing while nothing is measured', () => {
    expect(commonReasons(null)).toEqual([]);
    expect(commonReasons(sampleResult(HOMOGENEOUS, 'pocket', null))).toEqual([]);
  });
});
