import type {
  Analysis,
  ConfigurationRow,
  MetricCell,
  MetricName,
  Scale,
} from '../../../preload/contract/index';
import {
  column,
  number,
  RATE,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
  text,
} from './report-table';

/** In the order of a table. */
export const METRICS: readonly { readonly name: MetricName; readonly label: string }[] = [
  { name: 'pass@1', label: 'Pass@1' },
  { name: 'pass@10', label: 'Pass@10' },
  { name: 'pass@1(mcts)', label: 'Pass@1(MCTS)' },
  { name: 'pass@n', label: 'Pass@N' },
  { name: 'pass@n(public)', label: 'Pass@N (public)' },
];

export function metricCell(row: ConfigurationRow, metric: MetricName): MetricCell | null {
  return row.cells.find((cell) => cell.metric === metric) ?? null;
}

/** Metrics that at least one configuration has. */
export function measuredMetrics({ rows }: Pick<Analysis, 'rows'>): typeof METRICS {
  return METRICS.filter(({ name }) => rows.some((row) => metricCell(row, name) !== null));
}

/** Letters of a configuration in a metric; null: nothing was compared. */
export function lettersIn(analysis: Analysis, metric: MetricName, configuration: string): string | null {
  const grouping = analysis.groupings.find((entry) => entry.metric === metric);
  return grouping?.letters.find((entry) => entry.configuration === configuration)?.letters ?? null;
}

/** Configurations that share a letter do not differ significantly. */
export function shareLetter(first: string | null, second: string | null): boolean {
  return first !== null && second !== null && [...first].some((letter) => second.includes(letter));
}

/** The configuration with the highest value; null for fewer than two. */
function bestOf(analysis: Analysis, metric: MetricName): string | null {
  const values = analysis.rows.flatMap((row) => {
    const cell = metricCell(row, metric);
    return cell === null ? [] : [{ configuration: row.configuration, value: cell.value }];
  });
  if (values.length < 2) return null;
  return values.reduce((best, value) => (value.value > best.value ? value : best)).configuration;
}

function estimateOf(analysis: Analysis, row: ConfigurationRow, metric: MetricName): ReportCell {
  const cell = metricCell(row, metric);
  const letters = lettersIn(analysis, metric, row.configuration);
  const best = bestOf(analysis, metric);
  const isBest = best === row.configuration;
  const ties =
    best !== null && !isBest && shareLetter(letters, lettersIn(analysis, metric, best)) && cell !== null;
  return {
    kind: 'estimate',
    ours:
      cell === null
        ? null
        : {
            value: cell.value,
            low: cell.low,
            high: cell.high,
            problems: cell.problems,
            seeds: row.seeds.length,
          },
    best: isBest,
    tiesBest: ties,
    letters,
    reference: [],
    difference: null,
    notComparable: [],
    state: null,
    more:
      cell === null
        ? {}
        : {
            candidates: cell.candidates,
            sandbox_faults: cell.faults,
            over_ties: cell.overTies ?? null,
            grader_noise_shift: cell.graderNoise?.shift ?? null,
          },
  };
}

/** One row per configuration, one column per metric. */
export function resultsTable(analysis: Analysis, cautions: readonly string[]): ReportTable {
  const metrics = measuredMetrics(analysis);
  return {
    id: 'results',
    title: 'Results by configuration',
    rowTitle: 'Configuration',
    columns: [
      column('team', 'Team', undefined, { printed: false }),
      column('nodes_per_tree', 'Nodes', undefined, { printed: false }),
      ...metrics.map(({ name, label }) => column(name, label, RATE)),
      column('distinct_share', 'Different programs', RATE, { printed: false }),
    ],
    rows: analysis.rows.map((row) => ({
      label: row.configuration,
      group: '',
      seeds: row.seeds,
      scale: row.scale,
      cells: [
        text(row.team),
        number(row.nodesPerTree),
        ...metrics.map(({ name }) => estimateOf(analysis, row, name)),
        number(row.distinctShare),
      ],
    })),
    notes: [...cautions, ...analysis.sentences, analysis.method],
    complete: analysis.complete,
  };
}

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
