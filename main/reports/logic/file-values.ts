import type { ExhibitReference } from '../../../preload/contract/index';
import type { ReportColumn } from './report-table';

/** A paper's percent or points as rates, so that a file has one unit. */
export function inUnitOfFile(value: number, unit: ExhibitReference['unit']): number {
  return unit === 'number' ? value : Number((value / 100).toPrecision(12));
}

/** With its unit, which only heads of printed tables name. */
export function meaningOf({ meaning, unit }: Pick<ReportColumn, 'meaning' | 'unit'>): string | null {
  return meaning === undefined ? null : `${meaning}${unit.kind === 'rate' ? ' (from 0 to 1)' : ''}`;
}
