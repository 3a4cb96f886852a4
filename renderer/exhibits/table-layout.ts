import type { Exhibit, ExhibitCell, ExhibitResult, FilledCell } from '../../preload/contract/exhibit';
import { cellKey, isRateColumn, standInTextInFull } from '../../preload/contract/plans/index';

/** A cell of the exhibit with its measured value; null: none yet. */
export type TableCell = {
  /** "row.column": unique in its exhibit; used in requests and routes. */
  readonly key: string;
  readonly cell: ExhibitCell;
  readonly filled: FilledCell | null;
  /** An addition of ours: the paper has no such row or column. */
  readonly ours: boolean;
};
export type TableRow = {
  readonly id: string;
  readonly label: string;
  /** Heading above this row; null: same group as the row before. */
  readonly group: string | null;
  /** Label with its group, for use outside the table. */
  readonly name: string;
  /** One per column; null: the paper has no such cell. */
  readonly cells: readonly (TableCell | null)[];
};
export type TableLayout = {
  /** Headings over several columns; empty: none. */
  readonly columnGroups: readonly { readonly label: string; readonly span: number }[];
  readonly columns: Exhibit['columns'];
  /** Per column: its numbers are percent. */
  readonly inPercent: readonly boolean[];
  readonly rows: readonly TableRow[];
  /** Per column: the paper gives a value for some cell. */
  readonly hasPaper: readonly boolean[];
};

/** "Qwen3-8B, Base": rows of several groups may have the same label. */
export function rowName({ label, group }: Pick<Exhibit['rows'][number], 'label' | 'group'>): string {
  return group === '' ? label : `${group}, ${label}`;
}

/** The exhibit's table with the values measured so far. */
export function tableLayout(
  exhibit: Exhibit,
  scale: ExhibitResult['scale'],
  result: ExhibitResult | null,
): TableLayout {
  const rows = exhibit.rows.map((row) => ({
    ...row,
    label: standInTextInFull(exhibit, scale, row.label),
    group: standInTextInFull(exhibit, scale, row.group),
  }));
  const filled = new Map((result?.cells ?? []).map((cell) => [cellKey(cell), cell]));
  const cells = new Map(exhibit.cells.map((cell) => [cellKey(cell), cell]));
  const groups: { label: string; span: number }[] = [];
  for (const { group } of exhibit.columns) {
    const last = groups.at(-1);
    if (last?.label === group) last.span += 1;
    else groups.push({ label: group, span: 1 });
  }
  return {
    columnGroups: groups.some(({ label }) => label !== '') ? groups : [],
    columns: exhibit.columns,
    inPercent: exhibit.columns.map(({ id }) => isRateColumn(exhibit, id)),
    hasPaper: exhibit.columns.map(({ id }) =>
      exhibit.cells.some(({ column, reference }) => column === id && reference.length > 0),
    ),
    rows: rows.map(({ id, label, group, ours = false }, at) => ({
      id,
      label,
      name: rowName({ label, group }),
      group: group === '' || rows[at - 1]?.group === group ? null : group,
      cells: exhibit.columns.map((column): TableCell | null => {
        const key = cellKey({ row: id, column: column.id });
        const cell = cells.get(key);
        const isOurs = ours || (column.ours ?? false);
        return cell === undefined ? null : { key, cell, filled: filled.get(key) ?? null, ours: isOurs };
      }),
    })),
  };
}

export type Direction = 'left' | 'right' | 'up' | 'down';

const OFFSETS: Readonly<Record<Direction, readonly [row: number, column: number]>> = {
  left: [0, -1],
  right: [0, 1],
  up: [-1, 0],
  down: [1, 0],
};

/** Key of the next cell in this direction, skipping gaps; the same key if there is none. */
export function neighbourCell({ rows, columns }: TableLayout, key: string, step: Direction): string {
  let row = rows.findIndex(({ cells }) => cells.some((cell) => cell?.key === key));
  let column = rows[row]?.cells.findIndex((cell) => cell?.key === key) ?? -1;
  const [down, right] = OFFSETS[step];
  while (row >= 0 && row < rows.length && column >= 0 && column < columns.length) {
    row += down;
    column += right;
    const next = rows[row]?.cells[column];
    if (next !== null && next !== undefined) return next.key;
  }
  return key;
}

/**
 * Reasons for not comparing that hold for every measured value: shown once above the table instead of in each cell.
 * Empty while nothing is measured.
 */
export function commonReasons(result: ExhibitResult | null): readonly string[] {
  const measured = [...(result?.cells ?? []), ...(result?.series ?? [])].filter(
    ({ state }) => state.kind === 'done',
  );
  const [first, ...others] = measured;
  if (first === undefined) return [];
  return first.notComparable.filter((reason) =>
    others.every(({ notComparable }) => notComparable.includes(reason)),
  );
}
