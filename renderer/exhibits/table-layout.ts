import type { Exhibit, ExhibitCell, ExhibitResult, FilledCell } from '../../preload/contract/exhibit';

/** A cell of the exhibit with what was measured of it; null: nothing is known of it yet. */
export type TableCell = {
  /** "row.column": unique in its exhibit, and what orders and addresses call it. */
  readonly key: string;
  readonly cell: ExhibitCell;
  readonly filled: FilledCell | null;
};
export type TableRow = {
  readonly id: string;
  readonly label: string;
  /** Heads the rows from this one on; null: as the row before. */
  readonly group: string | null;
  /** With its group, as it is called where it stands alone. */
  readonly name: string;
  /** One a column; null: the paper has no such cell. */
  readonly cells: readonly (TableCell | null)[];
};
export type TableLayout = {
  /** Heads over several columns; empty: no column has one. */
  readonly columnGroups: readonly { readonly label: string; readonly span: number }[];
  readonly columns: Exhibit['columns'];
  readonly rows: readonly TableRow[];
  /** One a column: of some cell in it a value of the paper is known. */
  readonly hasPaper: readonly boolean[];
};

export function cellKey({ row, column }: Pick<ExhibitCell, 'row' | 'column'>): string {
  return `${row}.${column}`;
}

/** "Qwen3-8B, Base": rows of several groups may have the same label. */
export function rowName({ label, group }: Pick<Exhibit['rows'][number], 'label' | 'group'>): string {
  return group === '' ? label : `${group}, ${label}`;
}

/** The exhibit's table, filled as far as it is measured. */
export function tableLayout(exhibit: Exhibit, result: ExhibitResult | null): TableLayout {
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
    hasPaper: exhibit.columns.map(({ id }) =>
      exhibit.cells.some(({ column, reference }) => column === id && reference.length > 0),
    ),
    rows: exhibit.rows.map(({ id, label, group }, at) => ({
      id,
      label,
      name: rowName({ label, group }),
      group: group === '' || exhibit.rows[at - 1]?.group === group ? null : group,
      cells: exhibit.columns.map((column): TableCell | null => {
        const key = cellKey({ row: id, column: column.id });
        const cell = cells.get(key);
        return cell === undefined ? null : { key, cell, filled: filled.get(key) ?? null };
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

/** The key of the next cell in this direction, over gaps; the same where there is none. */
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
 * Reasons that hold for everything that is measured: said once over the table, they need no mark in each cell. Empty
 * while nothing is measured.
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
