import type { ExperimentPair } from '../../../preload/contract/index';
import {
  ALIKE_NOTE,
  counted,
  differsByBothTests,
  EXPERIMENT_TESTS_NOTE,
  experimentTestsNote,
  metricInFiles,
  ODDS_NOTE,
} from '../../../preload/contract/plans/index';
import {
  type ExperimentSource,
  experimentTable,
  isRate,
  measureOf,
  methodWith,
  TWO_DIGITS,
} from './experiment-measures';
import { ODDS, OF_SCALE, oddsCell, partKey } from './pair-tables';
import { meaningsNote } from './reading';
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

/** Beside \u2020 and in files. */
export const EXPERIMENT_TESTS =
  'significant where p < 0.05: the larger p of sign flips over problems and of a paired t test over the seeds (at least three), after Holm\u2019s correction';

const FIRST_MINUS_SECOND = 'first minus second, over the seeds and problems that both have';
const DATA_ONLY = { printed: false } as const;
const DIFFERENCE = column('difference', 'Difference', POINTS, { meaning: FIRST_MINUS_SECOND });

/** Which two. */
const SIDES: readonly ReportColumn[] = [
  column('first', 'First', WHOLE, DATA_ONLY),
  column('second', 'Second', WHOLE, DATA_ONLY),
];

/** Effect size and tests. */
export const TESTED: readonly ReportColumn[] = [
  ODDS,
  column('p_problems', 'p over problems', P, OF_SCALE),
  column('p_seeds', 'p over seeds', P, OF_SCALE),
  column('p_holm', 'p (Holm)', P, OF_SCALE),
  column('separable', 'Significant', WHOLE, OF_SCALE),
];

type Tested = Omit<ExperimentPair, 'metric' | 'part' | 'first' | 'second'>;

export function testedCells(pair: Tested): ReportCell[] {
  const { oddsRatio, problems, seeds, pProblems, pHolm, pSeeds } = pair;
  return [
    oddsCell(oddsRatio, { problems, seeds }),
    number(pProblems),
    number(pSeeds),
    number(pHolm),
    text(differsByBothTests(pair) ? 'yes' : 'no'),
  ];
}

export function differenceCell({ difference: value, low, high, problems, seeds, seedSpread }: Tested) {
  return plainEstimate({ value, low, high, problems, seeds, seedSpread });
}

const pairName = ({ first, second }: ExperimentPair): string => `${first} \u2212 ${second}`;

function meaningsOf(pairs: readonly ExperimentPair[]): string[] {
  const metrics = [...new Set(pairs.map(({ metric }) => metric))].map(measureOf);
  return meaningsNote(metrics.map(({ label, meaning }) => [label, meaning]));
}

const alikeNotes = (pairs: readonly ExperimentPair[]): string[] =>
  pairs.some(({ oddsRatio }) => oddsRatio === null) ? [ALIKE_NOTE] : [];

/** A row per pair of methods, in a metric of agents alone or of the team. */
export function pairsTable(source: ExperimentSource): ReportTable {
  const { view, result } = source;
  const hasCounts = result.pairs.some(({ metric }) => !isRate(metric));
  return experimentTable(
    source,
    {
      id: 'pairs',
      title: `Differences between methods: ${view.order.name}`,
      rowTitle: 'Pair',
      tests: EXPERIMENT_TESTS,
      columns: [
        column('metric', 'Metric', WHOLE, DATA_ONLY),
        column('part', 'Part', WHOLE, DATA_ONLY),
        ...SIDES,
        DIFFERENCE,
        ...(hasCounts
          ? [
              column('difference_algorithms', 'Difference, algorithms', TWO_DIGITS, {
                meaning: FIRST_MINUS_SECOND,
              }),
            ]
          : []),
        ...TESTED,
      ],
      notes: [
        ...meaningsOf(result.pairs),
        `${ODDS_NOTE} ${EXPERIMENT_TESTS_NOTE}`,
        ...alikeNotes(result.pairs),
      ],
    },
    result.pairs.map((pair) => ({
      label: pairName(pair),
      group: `${measureOf(pair.metric).label} ${pair.part}`,
      cells: [
        text(metricInFiles(pair.metric)),
        text(pair.part),
        text(pair.first),
        text(pair.second),
        isRate(pair.metric) ? differenceCell(pair) : plainEstimate(null),
        ...(hasCounts ? [isRate(pair.metric) ? plainEstimate(null) : differenceCell(pair)] : []),
        ...testedCells(pair),
      ],
    })),
  );
}

/** A row two methods in a part of the problems. */
export function partPairsTable(source: ExperimentSource): ReportTable {
  const { view, result, details } = source;
  const { partPairs } = details;
  const family = 'pairs in all parts of a grouping, within a metric of agents alone or of the team';
  const methods = new Set(result.cells.map(({ label }) => label)).size;
  const sides = new Set(partPairs.map(pairName)).size;
  const isBaseline = methods > 2 && sides < methods;
  return experimentTable(
    source,
    {
      id: 'breakdown-pairs',
      title: `Differences by part of the problems: ${view.order.name}`,
      rowTitle: 'Part',
      tests: EXPERIMENT_TESTS,
      method: methodWith(`the ${family}`),
      columns: [
        column('by', 'By', WHOLE, DATA_ONLY),
        column('part', 'Part', WHOLE, DATA_ONLY),
        column('metric', 'Metric', WHOLE, DATA_ONLY),
        column('agents', 'Agents', WHOLE, DATA_ONLY),
        ...SIDES,
        DIFFERENCE,
        ...TESTED,
      ],
      notes: [
        ...meaningsOf(partPairs),
        ...(isBaseline
          ? [`Of ${counted(methods, 'method')} only the differences from the first are tested in parts.`]
          : []),
        'That a difference is significant in one part and not in another does not show that the parts differ.',
        `${ODDS_NOTE} ${experimentTestsNote(family)}`,
        ...alikeNotes(partPairs),
      ],
    },
    partPairs.map((pair) => ({
      label: partKey(pair.within),
      group: `${measureOf(pair.metric).label} ${pair.part}: ${pairName(pair)}`,
      cells: [
        text(pair.within.by),
        text(pair.within.part),
        text(metricInFiles(pair.metric)),
        text(pair.part),
        text(pair.first),
        text(pair.second),
        differenceCell(pair),
        ...testedCells(pair),
      ],
    })),
  );
}
