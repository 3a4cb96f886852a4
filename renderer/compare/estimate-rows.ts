import type { Analysis, ConfigurationRow, MetricCell, MetricName } from '../../preload/contract/analysis';
import type { RunComparison } from '../../preload/contract/run-comparison';
import { basisText, type EstimateCell, type EstimateRow, noteWithScale } from '../shared/studies/index';
import { groupLetters } from '../state/index';
import { measuredMetrics } from '../text/metrics';
import { percent, plural, pointsDifference, seedNumbers } from '../widgets/index';
import type { NamedRow } from './figures-table';

export type TableOrder = 'given' | MetricName;

/** In the selected order, or by a metric, highest first; rows without a value last. */
export function orderedRows(
  rows: readonly NamedRow[],
  analysis: Analysis,
  order: TableOrder,
): readonly NamedRow[] {
  if (order === 'given') return rows;
  const values = new Map(
    analysis.rows.map(({ configuration, cells }) => [
      configuration,
      cells.find(({ metric, problems }) => metric === order && problems > 0)?.value ?? -1,
    ]),
  );
  return [...rows].sort((a, b) => (values.get(b.name) ?? -1) - (values.get(a.name) ?? -1));
}

/** The sample behind a value, and its noise. */
export function basisOf(cell: MetricCell): string {
  const { overTies, graderNoise } = cell;
  const ties =
    overTies === undefined ? '' : `. Ties between nodes broken by chance: ${percent(overTies)} % on average`;
  const noise =
    graderNoise === undefined
      ? ''
      : `. Graded again: ${graderNoise.changed} of ${plural(graderNoise.graded, 'verdict')} changed, which moves it by ${pointsDifference(graderNoise.shift)} points`;
  return `${basisText(cell)}${ties}${noise}`;
}

/** Columns besides the metrics; with grader noise if some run was graded again. */
export function factColumns(
  analysis: Analysis,
): readonly { readonly label: string; readonly hint: string }[] {
  return [...FACTS, ...(isRegraded(analysis) ? [NOISE] : [])];
}

const FACTS = [
  { label: 'Problems', hint: 'Problems counted' },
  { label: 'Nodes', hint: 'Nodes of one tree (N)' },
  { label: 'Seeds', hint: 'Seeds counted, one run each' },
  {
    label: 'Distinct %',
    hint: 'Distinct programs among all nodes and samples of a problem and run, in percent',
  },
];
const NOISE = {
  label: 'Noise',
  hint: 'Largest change of a value, in percentage points, when the same programs were graded again',
};

function isRegraded({ rows }: Analysis): boolean {
  return rows.some(({ cells }) => cells.some(({ graderNoise }) => graderNoise !== undefined));
}

function noiseText(row: ConfigurationRow): string {
  const shifts = row.cells.flatMap(({ graderNoise }) => graderNoise?.shift ?? []);
  return shifts.length === 0 ? '–' : percent(Math.max(...shifts.map(Math.abs)));
}

/** The table's rows, in the order of `rows`. */
export function estimateRows(comparison: RunComparison, rows: readonly NamedRow[]): readonly EstimateRow[] {
  const { analysis } = comparison;
  const facts = factColumns(analysis);
  const regraded = isRegraded(analysis);
  const metrics = measuredMetrics(analysis);
  const letters = new Map(metrics.map(({ id }) => [id, groupLetters(analysis, id)] as const));
  const byName = new Map(analysis.rows.map((row) => [row.configuration, row]));
  return rows.map(({ name, color }) => {
    const row = byName.get(name);
    const n = Math.max(0, ...(row?.cells.map(({ problems }) => problems) ?? []));
    return {
      id: name,
      label: name,
      color,
      note: row === undefined ? '' : noteWithScale(row.team, row.scale, analysis.rows),
      cells: metrics.map(({ id }) => estimateCell(row, id, letters.get(id)?.get(name) ?? '')),
      facts:
        row === undefined || n === 0
          ? facts.map(() => '–')
          : [
              String(n),
              String(row.nodesPerTree),
              { text: String(row.seeds.length), hint: seedNumbers(row.seeds) },
              percent(row.distinctShare, 0),
              ...(regraded ? [noiseText(row)] : []),
            ],
    };
  });
}

function estimateCell(
  row: ConfigurationRow | undefined,
  metric: MetricName,
  letters: string,
): EstimateCell | null {
  const cell = row?.cells.find((cell) => cell.metric === metric);
  if (cell === undefined || cell.problems === 0) return null;
  const { value, low, high, seedSpread } = cell;
  return { value, low, high, letters, seedSpread, basis: basisOf(cell) };
}
