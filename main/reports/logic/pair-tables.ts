import type { Analysis, Breakdown, Pair, PartPair, RunComparison } from '../../../preload/contract/index';
import { ALIKE_NOTE, allAgree, ODDS_NOTE } from '../../../preload/contract/plans/index';
import {
  column,
  number,
  POINTS,
  plainEstimate,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
  text,
  WHOLE,
} from './report-table';
import { type ComparisonRow, comparisonTable, METRIC_LABELS } from './results-table';

const P = { kind: 'number', digits: 4 } as const;
const DATA_ONLY = { printed: false } as const;

type Difference = Omit<PartPair, 'by' | 'part'>;

export function seedsOf({ rows }: Analysis, name: string): number {
  return rows.find(({ configuration }) => configuration === name)?.seeds.length ?? 0;
}

export const partKey = ({ by, part }: Pick<Breakdown, 'by' | 'part'>): string => `${by}: ${part}`;

const pairName = ({ first, second }: Difference): string => `${first} \u2212 ${second}`;

const metricName = ({ metric }: Difference): string => METRIC_LABELS.get(metric) ?? metric;

/** What is compared, and the difference. */
const DIFFERENCE: readonly ReportColumn[] = [
  column('metric', 'Metric', WHOLE, DATA_ONLY),
  column('first', 'First', WHOLE, DATA_ONLY),
  column('second', 'Second', WHOLE, DATA_ONLY),
  column('difference', 'Difference', POINTS),
];
export const ODDS = column('odds_ratio', 'Odds ratio', { kind: 'number', digits: 2 });
const TEST: readonly ReportColumn[] = [
  column('test', 'Test'),
  column('only_first', 'Only first'),
  column('only_second', 'Only second'),
  column('p', 'p', P),
  column('p_holm', 'p (Holm)', P),
  column('separable', 'Significant'),
];

const WITH_ODDS = [...DIFFERENCE, ODDS, ...TEST];

const TEST_NOTE =
  "Test: McNemar's exact test where each problem has one verdict a side, else a paired bootstrap over the problems; where the seeds of a side are trainings, p is at least that of a paired t test over the seeds. Only first, only second: problems on which one does better; p (Holm): corrected for the pairs of the metric, significant below 0.05.";

const alikeNotes = (pairs: readonly Difference[]): string[] => (pairs.some(allAgree) ? [ALIKE_NOTE] : []);

function differenceCells(analysis: Analysis, pair: Difference): ReportCell[] {
  const { difference: value, low, high, problems, seedSpread } = pair;
  return [
    text(pair.metric),
    text(pair.first),
    text(pair.second),
    plainEstimate({ value, low, high, problems, seedSpread, seeds: seedsOf(analysis, pair.first) }),
  ];
}

const cellsWithOdds = (analysis: Analysis, pair: Difference): ReportCell[] => [
  ...differenceCells(analysis, pair),
  oddsCell(pair.oddsRatio, { problems: pair.problems, seeds: seedsOf(analysis, pair.first) }),
  ...testCells(pair),
];

/** An effect size with its interval over problems. */
export function oddsCell(
  odds: Pair['oddsRatio'],
  basis: { readonly problems: number; readonly seeds: number },
): ReportCell {
  return plainEstimate(
    odds && {
      value: odds.value ?? Number.POSITIVE_INFINITY,
      low: odds.low,
      high: odds.high ?? Number.POSITIVE_INFINITY,
      ...basis,
    },
  );
}

function testCells({ test, separable }: Difference): ReportCell[] {
  return [
    text(test.kind === 'mcnemar' ? 'McNemar' : 'bootstrap'),
    number(test.onlyFirst),
    number(test.onlySecond),
    number(test.p),
    number(test.pHolm),
    text(separable ? 'yes' : 'no'),
  ];
}

/** What the power is for, and why it has dashes. */
function powerNote(pairs: readonly Difference[]): string {
  const overSeeds = pairs.some(({ seedSpread }) => seedSpread !== undefined);
  const detectable = `Smallest detectable: the true difference that four of five such studies would show${overSeeds ? ', from the standard error of the interval and, where the seeds are trainings, by the t test over them' : ''}; a dash: ${overSeeds ? 'more than 100 points (few seeds detect hardly anything)' : 'more than 100 points'}, or no problem differs.`;
  const needed = `Problems needed: to show the observed difference as often; a dash: more than a million, or no number is enough (a difference of 0${overSeeds ? "; intervals over seeds, because more problems leave the seeds' spread as it is" : ''}).`;
  return `${detectable} ${needed}`;
}

export function pairsTable(analysis: Analysis): ReportTable {
  return comparisonTable(
    analysis,
    {
      id: 'pairs',
      title: 'Differences between configurations',
      rowTitle: 'Pair',
      notes: [
        `First minus second, over the problems that both have finished, in percentage points. ${ODDS_NOTE} ${TEST_NOTE}`,
        ...alikeNotes(analysis.pairs),
        powerNote(analysis.pairs),
        'Odds ratio, a dash: no problem differs.',
      ],
    },
    [
      ...WITH_ODDS,
      column('detectable', 'Smallest detectable', POINTS),
      column('problems_needed', 'Problems needed'),
    ],
    analysis.pairs.map(
      (pair): ComparisonRow => [
        pairName(pair),
        pair.first,
        [...cellsWithOdds(analysis, pair), number(pair.detectable), number(pair.problemsNeeded)],
        metricName(pair),
      ],
    ),
  );
}

/** At equal tokens and GPU-hours. */
export function matchedPairsTable({ analysis, matched }: RunComparison): ReportTable {
  // Tokens are whole, GPU-hours are not.
  const limit = { kind: 'number', digits: matched.every(({ axis }) => axis === 'tokens') ? 0 : 3 } as const;
  const units = [...new Set(matched.map(({ axis }) => (axis === 'tokens' ? 'tokens' : 'GPU-hours')))];
  return comparisonTable(
    analysis,
    {
      id: 'matched-pairs',
      title: 'Differences at equal budgets',
      rowTitle: 'Pair',
      notes: [
        `First minus second, in percentage points. The one of both that uses more is cut at one limit in all its trees, so that both use as many tokens, or GPU-hours, in all; a row is as in the table "pairs" where the cut changed no result. ${ODDS_NOTE} ${TEST_NOTE}`,
        ...alikeNotes(matched),
      ],
    },
    [
      ...WITH_ODDS,
      column('budget', 'Budget', WHOLE, DATA_ONLY),
      column('cut', 'Cut'),
      column('limit', `Limit a tree (${units.join(' or ')})`, limit),
      column('first_use', 'First, a tree', { kind: 'number', digits: 3 }, DATA_ONLY),
      column('second_use', 'Second, a tree', { kind: 'number', digits: 3 }, DATA_ONLY),
    ],
    matched.map(
      (pair): ComparisonRow => [
        pairName(pair),
        pair.first,
        [
          ...cellsWithOdds(analysis, pair),
          text(pair.axis),
          text(pair.cut?.configuration ?? 'neither'),
          number(pair.cut?.limit),
          number(pair.firstUse),
          number(pair.secondUse),
        ],
        `${metricName(pair)} at equal ${pair.axis === 'tokens' ? 'tokens' : 'GPU-hours'}`,
      ],
    ),
  );
}

export function partPairsTable(analysis: Analysis): ReportTable {
  return comparisonTable(
    analysis,
    {
      id: 'breakdown-pairs',
      title: 'Differences by part of the problems',
      rowTitle: 'Part',
      notes: [
        `First minus second, in percentage points; p after Holm's correction over all parts and pairs of a grouping and metric. ${ODDS_NOTE}`,
        ...alikeNotes(analysis.partPairs),
      ],
    },
    [
      column('by', 'By', WHOLE, DATA_ONLY),
      column('part', 'Part', WHOLE, DATA_ONLY),
      column('problems', 'Problems'),
      ...WITH_ODDS,
    ],
    analysis.partPairs.map(
      (pair): ComparisonRow => [
        partKey(pair),
        pair.first,
        [text(pair.by), text(pair.part), number(pair.problems), ...cellsWithOdds(analysis, pair)],
        `${metricName(pair)}: ${pairName(pair)}`,
      ],
    ),
  );
}
