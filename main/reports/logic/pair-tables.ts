import type {
  Analysis,
  Breakdown,
  MatchedPair,
  Pair,
  PartPair,
  RunComparison,
} from '../../../preload/contract/index';
import {
  ALIKE_NOTE,
  allAgree,
  counted,
  firstAloneNote,
  INTERVAL_AND_P,
  ODDS_NOTE,
} from '../../../preload/contract/plans/index';
import { meaningsNote, metricMeaning } from './reading';
import {
  column,
  number,
  P,
  POINTS,
  plainEstimate,
  type ReportCell,
  type ReportColumn,
  type ReportTable,
  text,
  WHOLE,
} from './report-table';
import { type ComparisonRow, comparisonTable, METRIC_LABELS } from './results-table';
import { TEST_NAMES, type TestKind, testKinds } from './test-names';

const DATA_ONLY = { printed: false } as const;

type Difference = Omit<PartPair, 'by' | 'part'>;

export function seedsOf({ rows }: Analysis, name: string): number {
  return rows.find(({ configuration }) => configuration === name)?.seeds.length ?? 0;
}

export const partKey = ({ by, part }: Pick<Breakdown, 'by' | 'part'>): string => `${by}: ${part}`;

const pairName = ({ first, second }: Difference): string => `${first} minus ${second}`;

const metricName = ({ metric }: Difference): string => METRIC_LABELS.get(metric) ?? metric;

/** What is compared, and the difference. */
const DIFFERENCE: readonly ReportColumn[] = [
  column('metric', 'Metric', WHOLE, DATA_ONLY),
  column('first', 'First', WHOLE, DATA_ONLY),
  column('second', 'Second', WHOLE, DATA_ONLY),
  column('difference', 'Difference', POINTS),
];
export const ODDS = column('odds_ratio', 'Odds ratio', { kind: 'number', digits: 2, isRatio: true });
export const OF_SCALE = { ofScale: true } as const;
const TEST: readonly ReportColumn[] = [
  column('test', 'Test', WHOLE, OF_SCALE),
  column('only_first', 'First better', WHOLE, OF_SCALE),
  column('only_second', 'Second better', WHOLE, OF_SCALE),
  column('p', 'p', P, OF_SCALE),
  column('p_holm', 'p (Holm)', P, OF_SCALE),
  column('separable', 'Significant', WHOLE, OF_SCALE),
];

const WITH_ODDS = [...DIFFERENCE, ODDS, ...TEST];

const TEST_LABELS = {
  mcnemar: 'McNemar',
  bootstrap: 'bootstrap',
  'two-level': 'two-level bootstrap',
  seeds: 't over seeds',
} as const satisfies Record<TestKind, string>;
const TEST_MEANINGS: Readonly<Record<TestKind, string>> = {
  mcnemar: ', where each problem has one verdict a side',
  bootstrap:
    ', two-sided: how often a resampled difference is at least as far from the one found as that is from 0',
  'two-level': ', where no policy was trained for a seed and its p is the larger',
  seeds: ', where these are trainings and its p is the larger (with two seeds p is 1)',
};

/** How many pairs a correction is for: those of a metric, at equal budgets of a metric and a budget. */
function familyText(pairs: readonly (Difference & Partial<Pick<MatchedPair, 'axis'>>)[]): string {
  const sizes = new Map<string, number>();
  for (const { metric, axis = '' } of pairs) {
    sizes.set(`${metric} ${axis}`, (sizes.get(`${metric} ${axis}`) ?? 0) + 1);
  }
  const [size, ...others] = new Set(sizes.values());
  const many = others.length > 0 || size === undefined ? 'the pairs' : `the ${counted(size, 'pair')}`;
  return `${many} of the metric${pairs.some(({ axis }) => axis !== undefined) ? ' and budget' : ''}`;
}

/** What the tests of these pairs are; what does not occur is not explained. */
function testNote(pairs: readonly Difference[]): string {
  const tests = testKinds(pairs)
    .map((kind) => `${TEST_LABELS[kind]}: ${TEST_NAMES[kind]}${TEST_MEANINGS[kind]}`)
    .join('; ');
  const intervals = pairs.some(({ seedSpread }) => seedSpread !== undefined)
    ? INTERVAL_AND_P
    : 'An interval is of one difference or odds ratio, uncorrected: where it and p disagree, p decides.';
  return `Test: which gave p. ${tests}. ${intervals} First better, second better: number of problems; p (Holm): corrected for ${familyText(pairs)}, significant below 0.05.`;
}

/** What the metrics of these pairs are. */
function metricNotes(pairs: readonly Difference[]): string[] {
  const metrics = [...new Set(pairs.map(({ metric }) => metric))];
  return meaningsNote(metrics.map((metric) => [METRIC_LABELS.get(metric) ?? metric, metricMeaning(metric)]));
}

/** What a dash among odds ratios is. */
function oddsNotes(pairs: readonly Difference[]): string[] {
  return pairs.some(({ oddsRatio }) => oddsRatio === null) ? ['Odds ratio, a dash: no problem differs.'] : [];
}

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
    text(TEST_LABELS[test.kind]),
    number(test.onlyFirst),
    number(test.onlySecond),
    number(test.p),
    number(test.pHolm),
    text(separable ? 'yes' : 'no'),
  ];
}

/** What the power is for, and why it has dashes; where it has nothing else, only that. */
function powerNotes(pairs: Analysis['pairs']): string[] {
  if (pairs.every(allAgree)) return [];
  const isKnown = (of: 'detectable' | 'problemsNeeded') => pairs.some((pair) => pair[of] !== null);
  const overSeeds = pairs.some(({ seedSpread }) => seedSpread !== undefined);
  const detectable = isKnown('detectable')
    ? `Smallest detectable: about the true difference that four of five such studies would find significant${overSeeds ? ", with as much spread as here, at the strictest step of Holm's correction" : ''}; a dash: not even 100 points, or no problem differs.`
    : 'With so few problems and seeds, and as much spread as here, even a true difference of 100 points would show in fewer than four of five such studies.';
  if (!isKnown('problemsNeeded')) return [detectable];
  return [
    `${detectable} Problems needed: to show the observed difference as often; a dash: more than a million, or no number is enough (a difference of 0${overSeeds ? '; intervals over seeds' : ''}).`,
  ];
}

export function pairsTable(analysis: Analysis): ReportTable {
  return comparisonTable(
    analysis,
    {
      id: 'pairs',
      title: 'Differences between configurations',
      rowTitle: 'Pair',
      notes: [
        ...metricNotes(analysis.pairs),
        `Differences over the problems that ${analysis.rows.length > 2 ? 'all configurations have finished (where no problem is in all of them: that both have finished)' : 'both have finished'}. ${ODDS_NOTE} ${testNote(analysis.pairs)}`,
        ...alikeNotes(analysis.pairs),
        ...powerNotes(analysis.pairs),
        ...oddsNotes(analysis.pairs),
      ],
    },
    [
      ...WITH_ODDS,
      column('detectable', 'Smallest detectable', POINTS, {
        printed: analysis.pairs.some(({ detectable }) => detectable !== null),
      }),
      column('problems_needed', 'Problems needed', WHOLE, {
        printed: analysis.pairs.some(({ problemsNeeded }) => problemsNeeded !== null),
      }),
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

function firstAlone({ rows }: Analysis): string[] {
  const note = firstAloneNote(rows);
  return note === '' ? [] : [note];
}

/** At equal tokens and GPU-hours. */
export function matchedPairsTable({ analysis, matched }: RunComparison): ReportTable {
  // Tokens are whole, GPU-hours are not.
  const limit = { kind: 'number', digits: matched.every(({ axis }) => axis === 'tokens') ? 0 : 3 } as const;
  const units = [...new Set(matched.map(({ axis }) => (axis === 'tokens' ? 'tokens' : 'GPU-hours')))].join(
    ' or ',
  );
  const isSame = ({ metric, first, second, difference, test }: Difference): boolean =>
    analysis.pairs.some(
      (pair) =>
        pair.metric === metric &&
        pair.first === first &&
        pair.second === second &&
        pair.difference === difference &&
        pair.test.p === test.p,
    );
  const same = matched.filter(isSame).length;
  return comparisonTable(
    analysis,
    {
      id: 'matched-pairs',
      title: 'Differences at equal budgets',
      rowTitle: 'Pair',
      notes: [
        ...metricNotes(matched),
        `The one of both that uses more ${units} is cut: each of its trees ends before the program with which it would exceed the limit, so that it has at most N nodes and uses, as a mean over trees, at most as many as the other; the limit is of each single tree, "First" and "Second" are the means after the cut (${units === 'tokens' ? 'tokens' : 'tokens are'} of prompts and answers). Rows whose difference and p are as in the table "pairs": ${same} of ${matched.length}. ${ODDS_NOTE} ${testNote(matched)}`,
        ...firstAlone(analysis),
        ...alikeNotes(matched),
      ],
    },
    [
      ...WITH_ODDS,
      column('budget', 'Budget', WHOLE, DATA_ONLY),
      column('cut', 'Cut'),
      column('limit', `Limit a tree (${units})`, limit),
      column('first_use', `First, mean a tree (${units})`, limit),
      column('second_use', `Second, mean a tree (${units})`, limit),
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
        ...metricNotes(analysis.partPairs),
        `p after Holm's correction over all parts and pairs of a grouping and metric. ${ODDS_NOTE}`,
        ...firstAlone(analysis),
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
