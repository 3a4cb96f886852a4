import type { Analysis, Breakdown, RunComparison, Stability } from '../../../preload/contract/index';
import { isShortened } from './cell-text';
import { matchedPairsTable, pairsTable, partKey, partPairsTable, seedsOf } from './pair-tables';
import {
  column,
  number,
  numbersOf,
  plainEstimate,
  RATE,
  type ReportTable,
  text,
  WHOLE,
} from './report-table';
import { type ComparisonRow, comparisonTable, METRIC_LABELS, resultsTable, sumsTitle } from './results-table';
import { searchNotes, teamNotes } from './search-notes';
import { teamTables } from './team-tables';

function costsTable(analysis: Analysis): ReportTable {
  const currency = analysis.costs.find(({ money }) => money)?.money?.currency ?? '';
  return comparisonTable(
    analysis,
    {
      id: 'costs',
      title: sumsTitle('Costs of the searches', analysis),
      rowTitle: 'Configuration',
      notes: [
        'Sums over all problems and seeds, without trainings; their differences are not tested. Seconds depend on the machine, so they compare within this table alone. Candidates: programs written. Tokens per solved tree: all tokens of the search trees, divided by the number of trees whose answer passes the private tests. Seconds: summed over programs, which is more than the time that passed where several ran side by side. GPU-hours of 0: no server had a GPU. A dash: not known, or no price is set.',
      ],
    },
    [
      column('candidates', 'Candidates'),
      column('prompt_tokens', 'Prompt tokens'),
      column('completion_tokens', 'Completion tokens'),
      column('tokens_per_solved', 'Tokens per solved tree'),
      column('generate_seconds', 'Generation seconds', { kind: 'number', digits: 1 }),
      column('grade_seconds', 'Grading seconds', { kind: 'number', digits: 1 }),
      column('gpu_hours', 'GPU-hours', { kind: 'number', digits: 2 }),
      column('money', currency === '' ? 'Price' : `Price (${currency})`, { kind: 'number', digits: 2 }),
    ],
    analysis.costs.map(
      (cost): ComparisonRow => [
        cost.configuration,
        cost.configuration,
        [
          ...numbersOf(cost, [
            'candidates',
            'promptTokens',
            'completionTokens',
            'tokensPerSolved',
            'generateSeconds',
            'gradeSeconds',
            'gpuHours',
          ]),
          number(cost.money?.amount, cost.seedSpreads?.money),
        ],
      ],
    ),
  );
}

function settingsTable({ analysis, configurations, differences }: RunComparison): ReportTable {
  const isLong = differences.some(({ values }) => values.some((value) => isShortened(value ?? '')));
  return comparisonTable(
    analysis,
    {
      id: 'settings',
      title: 'Settings that differ',
      rowTitle: 'Setting',
      notes: [
        `agents[0] is the first agent of a team, and so on; "last": the checkpoint of the last update. Several values: one a seed. A dash: not set.${isLong ? ' A text that ends in "\u2026" is in full in settings.csv.' : ''} One training can have several policies, also where each learns alone. The settings of the trainings themselves are not here (the methods: below).`,
      ],
    },
    configurations.map((name) => column(name, name)),
    differences.map(
      ({ path, values }): ComparisonRow => [path, null, values.map((value) => text(value ?? '\u2013'))],
    ),
  );
}

function breakdownsTable(analysis: Analysis): ReportTable {
  // A part's configurations side by side; parts and configurations keep their order.
  const parts = [...new Set(analysis.breakdowns.map(partKey))];
  const positionOf = (breakdown: Breakdown): number => parts.indexOf(partKey(breakdown));
  return comparisonTable(
    analysis,
    { id: 'breakdowns', title: 'Results by part of the problems', rowTitle: 'Configuration' },
    [
      column('by', 'By', WHOLE, { printed: false }),
      column('part', 'Part', WHOLE, { printed: false }),
      column('metric', 'Metric'),
      column('value', 'Value', RATE),
      column('problems', 'Problems'),
    ],
    [...analysis.breakdowns]
      .sort((a, b) => positionOf(a) - positionOf(b))
      .map(
        (breakdown): ComparisonRow => [
          breakdown.configuration,
          breakdown.configuration,
          [
            text(breakdown.by),
            text(breakdown.part),
            text(METRIC_LABELS.get(breakdown.metric) ?? breakdown.metric),
            plainEstimate({
              value: breakdown.value,
              low: breakdown.low,
              high: breakdown.high,
              problems: breakdown.problems,
              seedSpread: breakdown.seedSpread,
              seeds: seedsOf(analysis, breakdown.configuration),
            }),
            number(breakdown.problems),
          ],
          partKey(breakdown),
        ],
      ),
  );
}

function stabilityTable(analysis: Analysis): ReportTable {
  const { stability } = analysis;
  const keyOf = ({ k, tau }: Stability): string => `g-pass@${k}-tau-${tau}`;
  const shown = new Map(stability.map((entry) => [keyOf(entry), entry]));
  return comparisonTable(
    analysis,
    {
      id: 'stability',
      title: 'Stability of independent samples, G-Pass@k',
      rowTitle: 'Configuration',
      notes: ['Chance that at least so many of k independent samples pass.'],
    },
    [...shown].map(([key, { k, tau }]) => column(key, `${Math.ceil(tau * k)} of ${k}`, RATE)),
    [...new Set(stability.map(({ configuration }) => configuration))].map(
      (name): ComparisonRow => [
        name,
        name,
        [...shown.keys()].map((key) => {
          const own = stability.find((entry) => entry.configuration === name && keyOf(entry) === key);
          return plainEstimate(own === undefined ? null : { ...own, seeds: seedsOf(analysis, name) });
        }),
      ],
    ),
  );
}

/** Every non-empty table of a comparison; the first one is the default. */
export function comparisonTables(comparison: RunComparison): ReportTable[] {
  const { analysis, cautions } = comparison;
  const tables = [
    resultsTable(analysis, cautions),
    pairsTable(analysis),
    matchedPairsTable(comparison),
    ...teamTables(comparison),
    costsTable(analysis),
    settingsTable(comparison),
    breakdownsTable(analysis),
    partPairsTable(analysis),
    stabilityTable(analysis),
  ];
  const who = [...searchNotes(comparison), ...teamNotes(comparison)];
  return tables
    .filter(({ rows, columns }) => rows.length > 0 && columns.length > 0)
    .map((table) => ({ ...table, notes: [...who, ...table.notes] }));
}
