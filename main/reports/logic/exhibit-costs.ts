import type { Exhibit } from '../../../preload/contract/index';
import { exhibitAtScale } from '../../../preload/contract/plans/index';
import { type ExhibitSource, layoutTitle } from './exhibit-tables';
import { column, number, type ReportTable } from './report-table';

/** The cost of every cell; the sum is the cost of the jobs. */
export function exhibitCosts(source: ExhibitSource): ReportTable {
  const { result, seeds } = source;
  const exhibit = exhibitAtScale(source.exhibit, result.scale);
  const { scale } = result;
  const label = (list: Exhibit['rows'] | Exhibit['columns'], id: string): string => {
    const item = list.find((item) => item.id === id);
    if (item === undefined) return id;
    return item.group === '' ? item.label : `${item.group}, ${item.label}`;
  };
  const sum = (part: 'seconds' | 'gpuSeconds' | 'tokens'): number | null =>
    result.cells.reduce<number | null>((total, { cost }) => {
      const own = cost[part];
      return total === null || own === null ? null : total + own;
    }, 0);
  return {
    id: 'cell-costs',
    latexLabel: `${exhibit.id}-costs`,
    title: `Costs of the cells, equal shares of their trainings, servers and searches. ${layoutTitle(exhibit)}`,
    rowTitle: 'Cell',
    columns: [
      column('seconds', 'Seconds', { kind: 'number', digits: 1, of: 'seconds' }),
      column('gpu_seconds', 'GPU-seconds', { kind: 'number', digits: 1, of: 'GPU-seconds' }),
      column('tokens', 'Tokens', { kind: 'number', digits: 0, of: 'tokens' }),
    ],
    rows: [
      ...result.cells.map(({ row, column: at, cost }) => ({
        label: `${label(exhibit.rows, row)}: ${label(exhibit.columns, at)}`,
        group: '',
        seeds,
        scale,
        cells: [number(cost.seconds), number(cost.gpuSeconds), number(cost.tokens)],
      })),
      {
        label: 'All cells',
        group: '',
        seeds,
        scale,
        cells: [number(sum('seconds')), number(sum('gpuSeconds')), number(sum('tokens'))],
      },
    ],
    notes: [
      'Each cell has an equal share of what each training, server and search that it needs took, whether that was done for this table or was there already. Seconds: of whole jobs, added up as if one had run after the other. Tokens: prompts and answers of searches, not of trainings. A dash: of something that was there already it is not known.',
    ],
    method: '',
    complete: result.complete,
  };
}
