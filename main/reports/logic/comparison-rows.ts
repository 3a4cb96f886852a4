import type { Analysis, Scale } from '../../../preload/contract/index';
import type { ReportCell, ReportColumn, ReportTable } from './report-table';

/** A row belongs to a configuration, whose seeds and scale it has; null: to all of them. */
export type ComparisonRow = readonly [
  label: string,
  configuration: string | null,
  cells: readonly ReportCell[],
  group?: string,
];

/** A table of a comparison, complete when the comparison is. */
export function comparisonTable(
  analysis: Analysis,
  head: Pick<ReportTable, 'id' | 'title' | 'rowTitle'> & { readonly notes?: readonly string[] },
  columns: readonly ReportColumn[],
  rows: readonly ComparisonRow[],
): ReportTable {
  const rowOf = new Map(analysis.rows.map((row) => [row.configuration, row]));
  const [first] = analysis.rows;
  const allSeeds = [...new Set(analysis.rows.flatMap(({ seeds }) => seeds))].sort((a, b) => a - b);
  return {
    notes: [],
    ...head,
    columns,
    rows: rows.map(([label, configuration, cells, group = '']) => {
      const row = configuration === null ? undefined : rowOf.get(configuration);
      const scale: Scale = (row ?? first)?.scale ?? 'pocket';
      return { label, group, seeds: row?.seeds ?? allSeeds, scale, cells };
    }),
    complete: analysis.complete,
  };
}
