import type { Exhibit, ExhibitResult } from '../../../preload/contract/exhibit';
import { cellKey, lineFiguresOf, measuresRate, paperPoints } from '../../../preload/contract/plans/index';

/** Shares of the width of its column, in [0, 1]; null: no value. */
export type ThumbnailCell = {
  readonly ours: number | null;
  readonly paper: number | null;
  readonly state: 'empty' | 'running' | 'done' | 'failed';
};

export type ThumbnailRow = {
  /** Length of its label, as a share of the longest. */
  readonly label01: number;
  readonly beginsGroup: boolean;
  /** One per column; null: the paper has no such cell. */
  readonly cells: readonly (ThumbnailCell | null)[];
};

export type ThumbnailLine = {
  /** Id of its series in the exhibit. */
  readonly id: string;
  /** In [0, 1], x from the left, y from the bottom. */
  readonly ours: readonly (readonly [number, number])[];
  readonly paper: readonly (readonly [number, number])[];
};

export type ThumbnailLayout = {
  readonly rows: readonly ThumbnailRow[];
  /** The lines of each figure. */
  readonly figures: readonly (readonly ThumbnailLine[])[];
};

/** An exhibit in small: rates from 0 to 100 %, other measures against the largest of their column. */
export function thumbnailLayout(exhibit: Exhibit, result: ExhibitResult | null): ThumbnailLayout {
  return { rows: rowsOf(exhibit, result), figures: figuresOf(exhibit, result) };
}

function rowsOf(exhibit: Exhibit, result: ExhibitResult | null): readonly ThumbnailRow[] {
  const filled = new Map((result?.cells ?? []).map((cell) => [cellKey(cell), cell]));
  const cells = new Map(exhibit.cells.map((cell) => [cellKey(cell), cell]));
  const longest = Math.max(1, ...exhibit.rows.map(({ label }) => label.length));
  const cellAt = (at: string): ThumbnailCell | null => {
    const cell = cells.get(at);
    if (cell === undefined) return null;
    const [reference] = cell.reference;
    const own = filled.get(at);
    return {
      ours: own?.ours?.value ?? null,
      paper: reference === undefined ? null : reference.value / (reference.unit === '%' ? 100 : 1),
      state: stateOf(own?.state.kind),
    };
  };
  const tops = new Map(
    exhibit.columns.map(({ id }): [string, number] => {
      const own = exhibit.cells.filter(({ column }) => column === id);
      if (own.every(({ measure }) => measuresRate(measure))) return [id, 1];
      const values = own.flatMap((cell) => {
        const { ours = null, paper = null } = cellAt(cellKey(cell)) ?? {};
        return [ours ?? 0, paper ?? 0];
      });
      return [id, Math.max(...values) || 1];
    }),
  );
  return exhibit.rows.map((row, at) => ({
    label01: row.label.length / longest,
    beginsGroup: at > 0 && row.group !== exhibit.rows[at - 1]?.group,
    cells: exhibit.columns.map(({ id }) => {
      const cell = cellAt(cellKey({ row: row.id, column: id }));
      const top = tops.get(id) ?? 1;
      return cell === null ? null : { ...cell, ours: share(cell.ours, top), paper: share(cell.paper, top) };
    }),
  }));
}

function share(value: number | null, top: number): number | null {
  return value === null ? null : Math.min(1, Math.max(0, value / top));
}

function stateOf(kind: string | undefined): ThumbnailCell['state'] {
  return kind === 'running' || kind === 'done' || kind === 'failed' ? kind : 'empty';
}

function figuresOf(exhibit: Exhibit, result: ExhibitResult | null): ThumbnailLayout['figures'] {
  return lineFiguresOf(exhibit).map(({ lines }) => {
    const drawn = lines.map((line) => ({
      id: line.id,
      ours: result?.series.find(({ id }) => id === line.id)?.points ?? [],
      paper: paperPoints(line),
    }));
    const xs = drawn.flatMap(({ ours, paper }) => [...ours, ...paper].map(({ x }) => x));
    const [from, to] = xs.reduce(
      ([low, high], x) => [Math.min(low, x), Math.max(high, x)],
      [Infinity, -Infinity],
    );
    const placed = (points: readonly { readonly x: number; readonly y: number }[]) =>
      points.map(({ x, y }) => [to > from ? (x - from) / (to - from) : 0, share(y, 1) ?? 0] as const);
    return drawn.map(({ id, ours, paper }) => ({ id, ours: placed(ours), paper: placed(paper) }));
  });
}
