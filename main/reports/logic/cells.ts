import type { ReportCell, ReportColumn, ReportUnit } from './report-table';

/** Short ways to say the plain cells and columns of a table. */
export const text = (words: string | null): ReportCell => ({ kind: 'text', text: words ?? '' });
export const number = (value: number | null | undefined): ReportCell => ({
  kind: 'number',
  value: value ?? null,
});

export const WHOLE: ReportUnit = { kind: 'number', digits: 0 };
export const RATE: ReportUnit = { kind: 'rate' };
export const POINTS: ReportUnit = { kind: 'points' };

export function column(
  id: string,
  label: string,
  unit: ReportUnit = WHOLE,
  more: Partial<Pick<ReportColumn, 'group' | 'printed'>> = {},
): ReportColumn {
  return { id, label, unit, group: '', printed: true, ...more };
}
