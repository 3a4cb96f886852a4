import type { Analysis, ConfigurationRow, MetricCell, MetricName } from '../../preload/contract/analysis';
import type { RunComparison } from '../../preload/contract/run-comparison';
import { groupLetters } from '../state/index';
import { percent, pointsDifference } from '../widgets/index';
import type { NamedRow } from './figures-table';
import { METRICS } from '../text/metrics';
import { basisText, type EstimateCell, type EstimateRow } from '../shared/studies/index';

export type TableOrder = 'given' | MetricName;

/** The metrics that some configuration has a value of. */
export function measuredMetrics(analysis: Analysis): typeof METRICS {
  return METRICS.filter(
    ({ id }) =>
      id !== 'pass@10' || analysis.rows.some(({ cells }) => cells.some((cell) => cell.metric === id)),
  );
}

/** As they were chosen, or the highest value of a metric first; those without a value last. */
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

/** What a value rests on, and how much of it could be noise. */
export function basisOf({ problems, candidates, faults, overTies, graderNoise }: MetricCell): string {
  const ties =
    overTies === undefined ? '' : `. Ties between nodes broken by chance: ${percent(overTies)} % on average`;
  const noise =
    graderNoise === undefined
      ? ''
      : `. Graded again: ${graderNoise.changed} of ${graderNoise.graded} verdicts changed, which moves it by ${pointsDifference(graderNoise.shift)} points`;
  return `${basisText(problems, candidates, faults)}${ties}${noise}`;
}

/** The plain columns of the table; the grader's noise where some run was graded again. */
export function factColumns(
  analysis: Analysis,
): readonly { readonly label: string; readonly hint: string }[] {
  return [...FACTS, ...(isRegraded(analysis) ? [NOISE] : [])];
}

const FACTS = [
  { label: 'n', hint: 'Problems that count' },
  { label: 'N', hint: 'Nodes of one tree' },
  { label: 'Seeds', hint: 'Seeds that count, a run each' },
  { label: 'Distinct', hint: 'Different programs among all candidates, in percent' },
];
const NOISE = {
  label: 'Noise',
  hint: 'Points by which grading the same programs again moved the value that moved most',
};

function isRegraded({ rows }: Analysis): boolean {
  return rows.some(({ cells }) => cells.some(({ graderNoise }) => graderNoise !== undefined));
}

function noiseText(row: ConfigurationRow): string {
  const shifts = row.cells.flatMap(({ graderNoise }) => graderNoise?.shift ?? []);
  return shifts.length === 0 ? '–' : percent(Math.max(...shifts.map(Math.abs)));
}

/** The table's lines, in the order of `rows`. */
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
      note: row === undefined ? '' : `${row.team}, ${row.scale}, ${seedNumbers(row.seeds)}`,
      cells: metrics.map(({ id }) => estimateCell(row, id, letters.get(id)?.get(name) ?? '')),
      facts:
        row === undefined || n === 0
          ? facts.map(() => '–')
          : [
              String(n),
              String(row.nodesPerTree),
              String(row.seeds.length),
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
  const cell = row?.cells.find((one) => one.metric === metric);
  if (cell === undefined || cell.problems === 0) return null;
  const { value, low, high } = cell;
  return { value, low, high, letters, basis: basisOf(cell) };
}
