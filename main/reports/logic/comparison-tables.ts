import type { Analysis, Breakdown, Pair, RunComparison } from '../../../preload/contract/index';
import { column, number, POINTS, plainEstimate, RATE, type ReportTable, text, WHOLE } from './report-table';
import { type ComparisonRow, comparisonTable, METRICS, resultsTable } from './results-table';
import { teamTables } from './team-tables';

const METRIC_LABELS = new Map(METRICS.map(({ name, label }) => [name, label]));

function seedsOf({ rows }: Analysis, name: string): number {
  return rows.find(({ configuration }) => configuration === name)?.seeds.length ?? 0;
}

function pairsTable(analysis: Analysis): ReportTable {
  const basisOf = ({ first, problems }: Pair) => ({ problems, seeds: seedsOf(analysis, first) });
  return comparisonTable(
    analysis,
    {
      id: 'pairs',
      title: 'Differences between configurations',
      rowTitle: 'Pair',
      notes: [
        'First minus second, over the problems that both have finished, in percentage points. Odds ratio: problems on which the first does better for each on which the second does, with its exact interval over problems.',
      ],
    },
    [
      column('metric', 'Metric', undefined, { printed: false }),
      column('first', 'First', undefined, { printed: false }),
      column('second', 'Second', undefined, { printed: false }),
      column('difference', 'Difference', POINTS),
      column('odds_ratio', 'Odds ratio', { kind: 'number', digits: 2 }),
      column('test', 'Test'),
      column('only_first', 'Only first'),
      column('only_second', 'Only second'),
      column('p', 'p', { kind: 'number', digits: 4 }),
      column('p_holm', 'p (Holm)', { kind: 'number', digits: 4 }),
      column('separable', 'Significant'),
      column('detectable', 'Smallest detectable', POINTS),
      column('problems_needed', 'Problems needed'),
    ],
    analysis.pairs.map(
      (pair): ComparisonRow => [
        `${pair.first} \u2212 ${pair.second}`,
        pair.first,
        [
          text(pair.metric),
          text(pair.first),
          text(pair.second),
          plainEstimate({ ...basisOf(pair), value: pair.difference, low: pair.low, high: pair.high }),
          plainEstimate(
            pair.oddsRatio === null
              ? null
              : {
                  ...basisOf(pair),
                  value: pair.oddsRatio.value ?? Number.POSITIVE_INFINITY,
                  low: pair.oddsRatio.low,
                  high: pair.oddsRatio.high ?? Number.POSITIVE_INFINITY,
                },
          ),
          text(pair.test.kind === 'mcnemar' ? 'McNemar' : 'bootstrap'),
          number(pair.test.onlyFirst),
          number(pair.test.onlySecond),
          number(pair.test.p),
          number(pair.test.pHolm),
          text(pair.separable ? 'yes' : 'no'),
          number(pair.detectable),
          number(pair.problemsNeeded),
        ],
        METRIC_LABELS.get(pair.metric) ?? pair.metric,
      ],
    ),
  );
}

function costsTable(analysis: Analysis): ReportTable {
  const currency = analysis.costs.find(({ money }) => money)?.money?.currency ?? '';
  return comparisonTable(
    analysis,
    { id: 'costs', title: 'Costs', rowTitle: 'Configuration' },
    [
      column('candidates', 'Candidates'),
      column('prompt_tokens', 'Prompt tokens'),
      column('completion_tokens', 'Completion tokens'),
      column('tokens_per_solved', 'Tokens per solved problem'),
      column('generate_seconds', 'Generation seconds'),
      column('grade_seconds', 'Grading seconds'),
      column('gpu_hours', 'GPU-hours', { kind: 'number', digits: 2 }),
      column('money', currency === '' ? 'Price' : `Price (${currency})`, { kind: 'number', digits: 2 }),
    ],
    analysis.costs.map(
      (cost): ComparisonRow => [
        cost.configuration,
        cost.configuration,
        [
          number(cost.candidates),
          number(cost.promptTokens),
          number(cost.completionTokens),
          number(cost.tokensPerSolved),
          number(cost.generateSeconds),
          number(cost.gradeSeconds),
          number(cost.gpuHours),
          number(cost.money?.amount),
        ],
      ],
    ),
  );
}

function settingsTable({ analysis, configurations, differences }: RunComparison): ReportTable {
  return comparisonTable(
    analysis,
    { id: 'settings', title: 'Settings that differ', rowTitle: 'Setting' },
    configurations.map((name) => column(name, name)),
    differences.map(
      ({ path, values }): ComparisonRow => [path, null, values.map((value) => text(value ?? '\u2013'))],
    ),
  );
}

const partKey = ({ by, part }: Pick<Breakdown, 'by' | 'part'>): string => `${by}: ${part}`;

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
              seeds: seedsOf(analysis, breakdown.configuration),
            }),
            number(breakdown.problems),
          ],
          partKey(breakdown),
        ],
      ),
  );
}

function partPairsTable(analysis: Analysis): ReportTable {
  return comparisonTable(
    analysis,
    {
      id: 'breakdown-pairs',
      title: 'Differences by part of the problems',
      rowTitle: 'Part',
      notes: [
        "First minus second, in percentage points; p after Holm's correction over all parts and pairs of a grouping and metric.",
      ],
    },
    [
      column('by', 'By', WHOLE, { printed: false }),
      column('part', 'Part', WHOLE, { printed: false }),
      column('first', 'First', undefined, { printed: false }),
      column('second', 'Second', undefined, { printed: false }),
      column('metric', 'Metric', undefined, { printed: false }),
      column('difference', 'Difference', POINTS),
      column('problems', 'Problems'),
      column('test', 'Test', undefined, { printed: false }),
      column('p', 'p', { kind: 'number', digits: 4 }, { printed: false }),
      column('p_holm', 'p (Holm)', { kind: 'number', digits: 4 }),
      column('separable', 'Significant'),
    ],
    analysis.partPairs.map(
      (pair): ComparisonRow => [
        partKey(pair),
        pair.first,
        [
          text(pair.by),
          text(pair.part),
          text(pair.first),
          text(pair.second),
          text(pair.metric),
          plainEstimate({
            value: pair.difference,
            low: pair.low,
            high: pair.high,
            problems: pair.problems,
            seeds: seedsOf(analysis, pair.first),
          }),
          number(pair.problems),
          text(pair.test.kind === 'mcnemar' ? 'McNemar' : 'bootstrap'),
          number(pair.test.p),
          number(pair.test.pHolm),
          text(pair.separable ? 'yes' : 'no'),
        ],
        `${METRIC_LABELS.get(pair.metric) ?? pair.metric}: ${pair.first} \u2212 ${pair.second}`,
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
    ...teamTables(comparison),
    costsTable(analysis),
    settingsTable(comparison),
    breakdownsTable(analysis),
    partPairsTable(analysis),
  ];
  return tables.filter(({ rows, columns }) => rows.length > 0 && columns.length > 0);
}
