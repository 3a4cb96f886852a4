import type { Exhibit } from '../../preload/contract/exhibit';
import { cellKey } from '../../preload/contract/plans/index';
import type { ExhibitScale } from '../state/index';
import { plural } from '../widgets/index';

/** What of an exhibit is measured, by ids: the cells that are in a chosen row and in a chosen column, and lines. */
export type ChosenParts = {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly lines: readonly string[];
};

type Parts = Pick<Exhibit, 'rows' | 'columns' | 'cells' | 'series'>;

const idsOf = (list: readonly { readonly id: string }[]): readonly string[] => list.map(({ id }) => id);

/** What a plan measures if nobody chooses: at paper scale without our controls, which cost GPU-days. */
export function usualParts({ rows, columns, series }: Parts, scale: ExhibitScale): ChosenParts {
  const isUsual = ({ ours = false }: { readonly ours?: boolean | undefined }): boolean =>
    !ours || scale === 'pocket';
  return {
    rows: idsOf(rows.filter(isUsual)),
    columns: idsOf(columns.filter(isUsual)),
    lines: idsOf(series.filter((line) => isUsual(line) || line.curve.kind === 'learning')),
  };
}

/** The choice to keep; null: it is the usual one, which the plan knows by itself. */
export function choiceOf(exhibit: Parts, scale: ExhibitScale, parts: ChosenParts): ChosenParts | null {
  return JSON.stringify(parts) === JSON.stringify(usualParts(exhibit, scale)) ? null : parts;
}

/** The keys of the cells and lines, as a request names them. */
export function chosenKeys({ cells }: Parts, { rows, columns, lines }: ChosenParts): readonly string[] {
  const own = cells.filter(({ row, column }) => rows.includes(row) && columns.includes(column));
  return [...own.map(cellKey), ...lines];
}

/** "3 of 12 rows, 1 of 4 lines": what is not chosen as a whole. */
export function chosenText({ rows, columns, series }: Parts, chosen: ChosenParts): string {
  const parts = [
    [rows, chosen.rows, 'row'],
    [columns, chosen.columns, 'column'],
    [series, chosen.lines, 'line'],
  ] as const;
  return parts
    .filter(([all, own]) => own.length < all.length)
    .map(([all, own, noun]) => `${own.length} of ${plural(all.length, noun)}`)
    .join(', ');
}
