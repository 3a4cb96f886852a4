import type { Usage, UsageBy, UsageRequest } from '../../../preload/contract/index';
import { counted } from '../../base/index';
import { column, number, type ReportTable, type ReportUnit, text } from './report-table';

/** The tables of usage, in the order in which they are offered. */
export const USAGE_PARTS = [
  { id: 'usage-by-project', by: 'project', title: 'GPU-hours and tokens by project', rowTitle: 'Project' },
  { id: 'usage-by-job', by: 'job', title: 'GPU-hours and tokens by job', rowTitle: 'Job' },
  { id: 'usage-by-month', by: 'month', title: 'GPU-hours and tokens by month', rowTitle: 'Month' },
] as const satisfies readonly {
  readonly id: string;
  readonly by: UsageBy;
  readonly title: string;
  readonly rowTitle: string;
}[];

const HOURS: ReportUnit = { kind: 'number', digits: 2 };

/** A month's usage, or that of all months, as a table. */
export function usageTable(usage: Usage, { month, by }: UsageRequest): ReportTable {
  const part = USAGE_PARTS.find((candidate) => candidate.by === by) ?? USAGE_PARTS[0];
  const { rows, notes, leftOut } = usage;
  return {
    id: part.id,
    title: `${part.title}, ${month ?? 'all months'}`,
    rowTitle: part.rowTitle,
    columns: [
      ...(by === 'month' ? [] : [column('about', 'What it is')]),
      column('gpu_hours', 'GPU-hours', HOURS),
      column('hours', 'Hours', HOURS),
      column('jobs', 'Jobs'),
      column('prompt_tokens', 'Prompt tokens'),
      column('completion_tokens', 'Completion tokens'),
    ],
    rows: rows.map((row) => ({
      label: row.label,
      group: '',
      seeds: [],
      scale: null,
      cells: [
        ...(by === 'month' ? [] : [text(row.about)]),
        number(rounded(row.gpuHours)),
        number(rounded(row.hours)),
        number(row.jobs),
        number(row.promptTokens),
        number(row.completionTokens),
      ],
    })),
    namesNoMethods: true,
    notes: [
      ...notes,
      ...(leftOut > 0 ? [`Not listed, but in the total: ${counted(leftOut, 'smaller row')}.`] : []),
    ],
    method: notes.join(' '),
    complete: rows.every(({ isOpen }) => !isOpen),
  };
}

/** Seconds are as exact as a probe is. */
function rounded(hours: number): number {
  return Number(hours.toFixed(4));
}
