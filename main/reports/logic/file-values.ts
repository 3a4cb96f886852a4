import type { ExhibitReference } from '../../../preload/contract/index';
import type { ReportColumn, ReportRow } from './report-table';

/** A paper's percent or points as rates, so that a file has one unit. */
export function inUnitOfFile(value: number, unit: ExhibitReference['unit']): number {
  return unit === 'number' ? value : Number((value / 100).toPrecision(12));
}

/** Of a row's value, with its unit, which only heads of printed tables name. */
export function meaningOf(
  { id, meaning, unit }: Pick<ReportColumn, 'id' | 'meaning' | 'unit'>,
  { meanings }: Pick<ReportRow, 'meanings'>,
): string | null {
  const own = meanings?.[id] ?? meaning;
  return own === undefined ? null : `${own}${unit.kind === 'rate' ? ' (from 0 to 1)' : ''}`;
}
