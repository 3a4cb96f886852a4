import type { ExhibitCell } from '../exhibit';

/** Names a cell of a table by its place. */
export function cellKey({ row, column }: Pick<ExhibitCell, 'row' | 'column'>): string {
  return `${row}.${column}`;
}
