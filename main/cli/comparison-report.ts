import {
  ALIKE_NOTE,
  allAgree,
  type MatchedPair,
  type MetricCell,
  ODDS_NOTE,
  type Pair,
  type RunComparison,
  SIDE_BY_SIDE_NOTE,
} from '../../preload/contract/index';
import { firstAloneNote, oddsRatioText, percentText, pText } from '../../preload/contract/plans/index';
import { counted, shortText } from '../base/index';
import { columns, intervalText, METRIC_TITLES, omittedText, spreadText, tableText } from './report';

type Estimate = Pick<MetricCell, 'value' | 'low' | 'high' | 'seedSpread'>;

const estimateText = (estimate: Estimate): string =>
  `${percentText(estimate.value)}${intervalText(estimate)}${spreadText(estimate.seedSpread)}`;

/** The comparison as text: cautions first, then the table, then the details. `verbose`: all sentences, and the method. */
export function comparisonText(comparison: RunComparison, verbose: boolean): string {
  const parts = [
    comparison.cautions.map((caution) => `Caution: ${caution}`),
    [tableText(comparison.analysis, verbose).trimEnd()],
    differencesOfPairs(comparison.analysis.pairs, verbose),
    matchedText(comparison, 'tokens', verbose),
    matchedText(comparison, 'gpu-hours', verbose),
    solvesText(comparison),
    cutoffsText(comparison),
    gainsText(comparison),
    contributionsText(comparison),
    shapesText(comparison),
    costsText(comparison),
    noiseText(comparison),
    differencesText(comparison),
    verbose ? [] : [omittedText(comparison.analysis)],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** More pairs are shown with --verbose alone. */
const MAX_PAIRS = 10;

type ListedPair = Omit<Pair, 'detectable' | 'problemsNeeded'>;

/** In the main metric the most significant, `verbose` all. */
function shownPairs<T extends ListedPair>(pairs: readonly T[], verbose: boolean): readonly T[] {
  const [first] = pairs;
  const ofMain = pairs
    .filter(({ metric }) => metric === first?.metric)
    .toSorted((a, b) => a.test.pHolm - b.test.pHolm);
  return verbose ? pairs : ofMain.slice(0, MAX_PAIRS);
}

/** Differences with intervals and effect sizes, and what these columns are. */
function differencesOfPairs(pairs: readonly Pair[], verbose: boolean): string[] {
  const isAlike = shownPairs(pairs, verbose).some(allAgree);
  return pairsText('difference of', pairs, verbose, [ODDS_NOTE, ...(isAlike ? [ALIKE_NOTE] : [])]);
}

function pairsText(
  head: string,
  pairs: readonly ListedPair[],
  verbose: boolean,
  notes: readonly string[] = [],
): string[] {
  if (pairs.length === 0) return [];
  const shown = shownPairs(pairs, verbose);
  const hidden = pairs.length - shown.length;
  const rows = shown.map((pair) => [
    `${pair.first} - ${pair.second}`,
    METRIC_TITLES[pair.metric],
    estimateText({ ...pair, value: pair.difference }),
    oddsRatioText(pair.oddsRatio),
    String(pair.problems),
    pText(pair.test.pHolm),
  ]);
  return [
    ...columns([head, 'metric', 'pp', 'odds ratio', 'problems', 'p (Holm)'], rows),
    ...notes,
    ...(hidden === 0 ? [] : [`${counted(hidden, 'more difference')}: add --verbose.`]),
  ];
}

/** The same at equal budgets, with what was cut; nothing where all use as much. */
function matchedText(
  { matched, analysis }: RunComparison,
  axis: MatchedPair['axis'],
  verbose: boolean,
): string[] {
  const pairs = matched.filter((pair) => pair.axis === axis);
  if (pairs.every(({ cut }) => cut === null)) return [];
  const unit = axis === 'tokens' ? 'tokens' : 'GPU-hours';
  return [
    ...pairsText(`at equal ${unit}`, pairs, verbose),
    `Equal ${unit}: in each pair, the one that uses more is cut: all its trees at one limit. ${firstAloneNote(analysis.rows)}`.trimEnd(),
  ];
}

function solvesText({ solves }: RunComparison): string[] {
  if (solves.configurations.length < 2) return [];
  const rows = solves.configurations.map((name, at) => [name, String(solves.byOneAlone[at] ?? 0)]);
  return [
    ...columns(['solved by', 'problems that no other solves'], rows),
    `Solved by all: ${solves.byAll}; by none: ${solves.byNone}. Over the problems that all have finished.`,
  ];
}

/** Nothing where problems have no dates. */
function cutoffsText({ cutoffs }: RunComparison): string[] {
  const side = (one: Estimate & { readonly problems: number }): string =>
    `${estimateText(one)}, n = ${one.problems}`;
  const rows = cutoffs.flatMap(({ configuration, cutoff, parts }) =>
    parts.map(({ metric, before, after, difference }) => [
      configuration,
      METRIC_TITLES[metric],
      cutoff ?? '-',
      before === null ? '-' : side(before),
      after === null ? '-' : side(after),
      difference === null ? '-' : estimateText(difference),
    ]),
  );
  const unknown = cutoffs.flatMap(({ models }) => models.filter(({ cutoff }) => cutoff === null));
  const names = [...new Set(unknown.map(({ model }) => model))];
  return [
    ...(rows.length === 0
      ? []
      : columns(['training cut-off of', 'metric', 'cut-off', 'before', 'after', 'after - before'], rows)),
    ...(names.length === 0
      ? []
      : [`Training cut-off not set: ${names.join(', ')}. Set it with --cutoff MODEL=2024-10.`]),
  ];
}

function gainsText({ gains }: RunComparison): string[] {
  if (gains.length === 0) return [];
  const rows = gains.map((gain) => [
    gain.team,
    percentText(gain.team01),
    percentText(gain.bestMember01),
    estimateText(gain.overBest),
    oddsRatioText(gain.overBest.oddsRatio),
    gain.sideBySide01 === null ? '-' : percentText(gain.sideBySide01),
    gain.overSideBySide === null ? '-' : estimateText(gain.overSideBySide),
    gain.overSideBySide === null ? '-' : oddsRatioText(gain.overSideBySide.oddsRatio),
    String(gain.problems),
    gain.members.join(' + '),
  ]);
  return [
    ...columns(
      [
        'team',
        'Pass@N',
        'best member',
        'gain over best, pp',
        'odds ratio',
        'side by side',
        'gain over side by side, pp',
        'odds ratio',
        'problems',
        'members',
      ],
      rows,
    ),
    SIDE_BY_SIDE_NOTE,
  ];
}

const oneDigit = (value: number): string => value.toFixed(1);
const twoDigits = (value: number): string => value.toFixed(2);
const integerText = (value: number): string => value.toFixed(0);

function contributionsText({ contributions }: RunComparison): string[] {
  const teams = contributions.filter(({ agents }) => agents.length > 1);
  return teams.flatMap(({ configuration, agents, transitions }, at) => [
    ...(at === 0 ? [] : ['']),
    ...columns(
      [
        `agent of ${configuration}`,
        'first attempts',
        'passed',
        'refinements',
        'passed',
        'answers',
        'parent of answers',
        ...agents.map(({ name }) => `refined by ${name}`),
      ],
      agents.map((agent, parent) => [
        agent.name,
        ...(
          [
            'firstAttempts',
            'firstAttemptsPassed',
            'refinements',
            'refinementsPassed',
            'solved',
            'childSolved',
          ] as const
        ).map((name) => `${agent[name]}${spreadText(agent.seedSpreads?.[name], oneDigit)}`),
        ...agents.map((_, child) => {
          const { count, repaired, seedSpreads } = transitions[parent]?.[child] ?? { count: 0, repaired: 0 };
          return `${count}${spreadText(seedSpreads?.count, oneDigit)} (${repaired} repaired)`;
        }),
      ]),
    ),
  ]);
}

function shapesText({ shapes }: RunComparison): string[] {
  const rows = shapes.map((shape) => [
    shape.configuration,
    String(shape.trees),
    `${twoDigits(shape.meanDepth)}${spreadText(shape.seedSpreads?.meanDepth, twoDigits)}`,
    String(shape.maxDepth),
    `${twoDigits(shape.meanWidth)}${spreadText(shape.seedSpreads?.meanWidth, twoDigits)}`,
    `${twoDigits(shape.meanBranching)}${spreadText(shape.seedSpreads?.meanBranching, twoDigits)}`,
  ]);
  return columns(['trees of', 'number', 'depth', 'deepest', 'first attempts', 'children'], rows);
}

function costsText({ analysis: { costs } }: RunComparison): string[] {
  const rows = costs.map((cost) => [
    cost.configuration,
    String(cost.candidates),
    String(cost.promptTokens + cost.completionTokens),
    cost.tokensPerSolved === null
      ? '-'
      : `${integerText(cost.tokensPerSolved)}${spreadText(cost.seedSpreads?.tokensPerSolved, integerText)}`,
    cost.gpuHours === null || cost.gpuHours === undefined ? '-' : cost.gpuHours.toFixed(2),
    cost.money === null || cost.money === undefined
      ? '-'
      : `${cost.money.amount.toFixed(2)} ${cost.money.currency}`,
  ]);
  return columns(['cost of', 'candidates', 'tokens', 'tokens per solved tree', 'GPU-hours', 'money'], rows);
}

/** Configurations that were graded again: the largest change of a figure by the grader's noise. */
function noiseText({ analysis }: RunComparison): string[] {
  const rows = analysis.rows.flatMap(({ configuration, cells }) => {
    const noises = cells.flatMap(({ graderNoise }) => graderNoise ?? []);
    const [most] = noises.toSorted((a, b) => Math.abs(b.shift) - Math.abs(a.shift));
    if (most === undefined) return [];
    return [[configuration, String(most.graded), String(most.changed), percentText(most.shift)]];
  });
  if (rows.length === 0) return [];
  return columns(['graded again', 'programs', 'verdicts changed', 'largest shift, pp'], rows);
}

/** Prompts of roles would make the table wider than a terminal; letters. */
const LONGEST_SETTING = 40;

function differencesText({ differences, configurations }: RunComparison): string[] {
  if (differences.length === 0) return [];
  const rows = differences.map(({ path, values }) => [
    path,
    ...values.map((value) => shortText(value ?? '-', LONGEST_SETTING)),
  ]);
  return columns(['differs in', ...configurations], rows);
}
