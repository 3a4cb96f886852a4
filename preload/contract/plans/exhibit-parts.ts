import type { Exhibit } from '../exhibit';
import { cellKey } from './cell-key';
import { CONTROL } from './exhibit-units';

type Parts = Pick<Exhibit, 'rows' | 'columns' | 'cells' | 'series'>;

/** The parts of an exhibit that are measured, by ids: the cells in a chosen row and a chosen column, and lines. */
export type ChosenParts = {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly lines: readonly string[];
};

const idsOf = (list: readonly { readonly id: string }[]): readonly string[] => list.map(({ id }) => id);

/**
 * The controls and other additions of ours. Of learning curves the controls alone: which lines the paper's figure has is not
 * known, so that all are ours.
 */
export function oursOf({ rows, columns, series }: Parts): ChosenParts {
  return {
    rows: idsOf(rows.filter(({ ours }) => ours === true)),
    columns: idsOf(columns.filter(({ ours }) => ours === true)),
    lines: idsOf(
      series.filter(
        ({ ours, label, curve }) => ours === true && (curve.kind !== 'learning' || label.startsWith(CONTROL)),
      ),
    ),
  };
}

/** The parts without these, or with them, in the exhibit's order. */
export function partsWith(
  { rows, columns, series }: Parts,
  chosen: ChosenParts,
  others: ChosenParts,
  isWith: boolean,
): ChosenParts {
  const next = (all: readonly { readonly id: string }[], own: readonly string[], of: readonly string[]) =>
    idsOf(all).filter((id) => (of.includes(id) ? isWith : own.includes(id)));
  return {
    rows: next(rows, chosen.rows, others.rows),
    columns: next(columns, chosen.columns, others.columns),
    lines: next(series, chosen.lines, others.lines),
  };
}

/** All parts of an exhibit. */
export function allParts({ rows, columns, series }: Parts): ChosenParts {
  return { rows: idsOf(rows), columns: idsOf(columns), lines: idsOf(series) };
}

/** The keys of the cells and lines, as a request names them. */
export function chosenKeys({ cells }: Parts, { rows, columns, lines }: ChosenParts): readonly string[] {
  const own = cells.filter(({ row, column }) => rows.includes(row) && columns.includes(column));
  return [...own.map(cellKey), ...lines];
}
