import type {
  Analysis,
  ConfigurationRow,
  MetricCell,
  MetricName,
  Scale,
} from '../../../preload/contract/index';
import {
  allAgree,
  COMPLEMENT_SENTENCE,
  COMPLEMENT_SHORT,
  REQUIRED_SENTENCES,
} from '../../../preload/contract/plans/index';
import { isHighest } from '../../base/index';
import { printNumber } from './printed-number';
import { metricMeaning } from './reading';
import {
  column,
  number,
  POINTS,
  RATE,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
  text,
} from './report-table';
import { testsOf } from './test-names';

/** In the order of a table. */
export const METRICS: readonly { readonly name: MetricName; readonly label: string }[] = [
  { name: 'pass@1', label: 'Pass@1' },
  { name: 'pass@10', label: 'Pass@10' },
  { name: 'pass@1(mcts)', label: 'Pass@1(MCTS)' },
  { name: 'pass@n', label: 'Pass@N' },
  { name: 'pass@n(public)', label: 'Pass@N (public)' },
];

export const METRIC_LABELS: ReadonlyMap<MetricName, string> = new Map(
  METRICS.map(({ name, label }) => [name, label]),
);

export function metricCell(row: ConfigurationRow, metric: MetricName): MetricCell | null {
  return row.cells.find((cell) => cell.metric === metric) ?? null;
}

/** Metrics that at least one configuration has. */
export function measuredMetrics({ rows }: Pick<Analysis, 'rows'>): typeof METRICS {
  return METRICS.filter(({ name }) => rows.some((row) => metricCell(row, name) !== null));
}

/** Letters of a configuration in a metric; null: nothing was compared. */
function lettersIn(analysis: Analysis, metric: MetricName, configuration: string): string | null {
  const grouping = analysis.groupings.find((entry) => entry.metric === metric);
  return grouping?.letters.find((entry) => entry.configuration === configuration)?.letters ?? null;
}

/** Does it differ significantly from all the best? Those that share a letter do not; null: they were not compared. */
function significance(own: string | null, best: readonly (string | null)[]): boolean | null {
  const known = best.flatMap((letters) => letters ?? []);
  if (own === null || known.length === 0) return null;
  return known.every((letters) => [...own].every((letter) => !letters.includes(letter)));
}

/** Do all share problems and tests, so that differences are computed? Of many rows it is known of the first alone. */
function haveShared({ pairs }: Analysis, [first, ...others]: readonly ConfigurationRow[]): boolean {
  const names = new Set(
    pairs.flatMap((pair) => [`${pair.first}\n${pair.second}`, `${pair.second}\n${pair.first}`]),
  );
  return others.every(({ configuration }) => names.has(`${first?.configuration}\n${configuration}`));
}

function estimateOf(analysis: Analysis, row: ConfigurationRow, metric: MetricName): ReportCell {
  const cell = metricCell(row, metric);
  const letters = lettersIn(analysis, metric, row.configuration);
  const measured = analysis.rows.filter((other) => metricCell(other, metric) !== null);
  const values = measured.flatMap((other) => metricCell(other, metric)?.value ?? []);
  const isCompared = haveShared(analysis, measured);
  const best = measured.filter(
    (other) => isCompared && isHighest(metricCell(other, metric)?.value ?? -1, values),
  );
  const isBest = cell !== null && best.includes(row);
  const lettersOfBest = best.map(({ configuration }) => lettersIn(analysis, metric, configuration));
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
            seedSpread: cell.seedSpread,
          },
    best: isBest,
    test:
      cell === null || isBest || !isCompared
        ? null
        : { against: null, isSignificant: significance(letters, lettersOfBest) },
    letters,
    reference: [],
    difference: null,
    notComparable: [],
    state: cell === null ? unmeasured(metric) : null,
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

/** Why a configuration has no value of a metric that others have. */
function unmeasured(metric: MetricName): string {
  if (metric === 'pass@10') return 'missing: fewer than 10 independent samples of some problem';
  if (metric === 'pass@1') return 'missing: no independent samples';
  return 'missing: no finished problem';
}

/** Beside intervals of a study that was extended after its results were there. */
export function looksNote({ looks }: { readonly looks?: number | undefined }): readonly string[] {
  return looks === undefined
    ? []
    : [`Intervals after looking ${looks} times, which they do not account for.`];
}

const MAX_LIMITS = 2;

/** What is always said, and of what else limits the table a sentence, without it two; the manifest has what each test found. */
function mainLimits({ sentences, chips = [] }: Analysis): readonly string[] {
  const always = sentences.filter((sentence) => REQUIRED_SENTENCES.includes(sentence));
  const others = sentences.filter((one, at) => chips[at]?.kind === 'limit' && !always.includes(one));
  return [...always, ...others.slice(0, Math.max(1, MAX_LIMITS - always.length))];
}

/** What the main test found: the most that can be claimed. */
function mainFinding({ sentences, chips = [] }: Analysis): readonly string[] {
  return sentences
    .filter((_, at) => chips[at]?.kind === 'difference' || chips[at]?.kind === 'no-difference')
    .slice(0, 1);
}

/** Why a metric that others are tested beside is not, and where the power of the tests stands. */
function testNotes(analysis: Analysis): readonly string[] {
  if (analysis.pairs.length === 0) return [];
  const measured = new Set(measuredMetrics(analysis).map(({ name }) => name));
  return [
    ...(measured.has('pass@10') ? ['Pass@10 is not tested: it is of the same samples as Pass@1.'] : []),
    ...(measured.has('pass@n(public)')
      ? ['Pass@N (public) is not tested: the public tests guide the search, and the private ones decide.']
      : []),
    ...detectableNotes(analysis.pairs),
  ];
}

/**
 * How large a difference had to be to be found, in Pass@1(MCTS) where that is tested, else in the first metric: pairs and
 * metrics differ much. Where no problem differs, it is not known.
 */
function detectableNotes(pairs: Analysis['pairs']): readonly string[] {
  const differing = pairs.filter((pair) => !allAgree(pair));
  const main = differing.find(({ metric }) => metric === 'pass@1(mcts)') ?? differing[0];
  if (main === undefined) return [];
  const label = METRIC_LABELS.get(main.metric) ?? main.metric;
  const ofMain = differing.filter(({ metric }) => metric === main.metric);
  const known = ofMain.flatMap(({ detectable }) => detectable ?? []);
  if (known.length === 0)
    return [
      `Even a true difference of 100 points of ${label} would not have been detected reliably (table "pairs").`,
    ];
  const [least, most] = [Math.min(...known), Math.max(...known)].map((one) => printNumber(one, POINTS));
  const range =
    known.length < ofMain.length
      ? `${least} points or more`
      : least === most
        ? `${least} points`
        : `${least} to ${most} points`;
  return [
    `The table "pairs" says how large a true difference had to be to be detected: here for ${label} ${range}, depending on the pair of configurations; a smaller one may be there unseen.`,
  ];
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
      ...metrics.map(({ name, label }) => column(name, label, RATE, { meaning: metricMeaning(name) })),
      column('distinct_share', 'Different programs', RATE, { printed: false }),
    ],
    rows: analysis.rows.map((row) => ({
      label: row.configuration,
      group: '',
      seeds: row.seeds,
      scale: row.scale,
      nodes: row.nodesPerTree,
      cells: [
        text(row.team),
        ...metrics.map(({ name }) => estimateOf(analysis, row, name)),
        number(row.distinctShare),
      ],
    })),
    notes: [...testNotes(analysis), ...cautions, ...mainFinding(analysis), ...mainLimits(analysis)],
    sentences: [...cautions, ...analysis.sentences],
    method: analysis.method,
    tests: testsOf(analysis),
    complete: analysis.complete,
    ...(analysis.looks === undefined ? {} : { looks: analysis.looks }),
  };
}

/** The title of a table of sums, so that "63 SD 3.6" is not read as a mean. */
export function sumsTitle(title: string, { rows }: Pick<Analysis, 'rows'>): string {
  return rows.some(({ seeds }) => seeds.length > 1)
    ? `${title}, summed over the seeds (SD: of each seed's own number)`
    : title;
}

/** The same for a caption of two lines. */
function shortTitle(title: string): Pick<ReportTable, 'shortTitle'> {
  const at = title.lastIndexOf(' (SD: ');
  return at === -1 ? {} : { shortTitle: title.slice(0, at) };
}

/** What no table of pocket policies is without, where it has not all the limits. */
function complementNotes({ sentences }: Analysis): readonly string[] {
  return sentences.includes(COMPLEMENT_SENTENCE) ? [`${COMPLEMENT_SHORT}.`] : [];
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
  const sameNodes = analysis.rows.every(({ nodesPerTree }) => nodesPerTree === first?.nodesPerTree);
  const allSeeds = [...new Set(analysis.rows.flatMap(({ seeds }) => seeds))].sort((a, b) => a - b);
  return {
    method: analysis.method,
    ...head,
    ...shortTitle(head.title),
    notes: [...(head.notes ?? []), ...complementNotes(analysis)],
    columns,
    rows: rows.map(([label, configuration, cells, group = '']) => {
      const row = configuration === null ? undefined : rowOf.get(configuration);
      const scale: Scale = (row ?? first)?.scale ?? 'pocket';
      return {
        label,
        group,
        seeds: row?.seeds ?? allSeeds,
        scale,
        nodes: (row ?? (sameNodes ? first : undefined))?.nodesPerTree ?? null,
        cells,
      };
    }),
    complete: analysis.complete,
    ...(analysis.looks === undefined ? {} : { looks: analysis.looks }),
  };
}
