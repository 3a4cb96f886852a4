import type {
  ExperimentCell,
  ExperimentLine,
  ExperimentPair,
  ExperimentResult,
  ExperimentView,
} from '../../../preload/contract/index';
import {
  ALIKE_NOTE,
  ALWAYS_SAID,
  COMPLEMENT_SHORT,
  differsByBothTests,
  EXPERIMENT_TESTS_NOTE,
  evaluatedOn,
  experimentScale,
  ODDS_NOTE,
} from '../../../preload/contract/plans/index';
import { isHighest } from '../../base/index';
import { resultBars } from './experiment-bars';
import {
  cellAt,
  columnOf,
  EXPERIMENT_METHOD,
  type ExperimentSource,
  isRate,
  measureOf,
  type Quantity,
  quantities,
  TWO_DIGITS,
} from './experiment-measures';
import { learningFigures } from './learning-figures';
import { ODDS, oddsCell } from './pair-tables';
import { meaningsNote } from './reading';
import type { ReportFigure } from './report-figure';
import {
  column,
  number,
  P,
  POINTS,
  plainEstimate,
  type ReportCell,
  type ReportRow,
  type ReportTable,
  text,
  WHOLE,
} from './report-table';

/** Beside \u2020 and in files. */
const TESTS =
  'significant where p < 0.05: the larger p of sign flips over problems and of a paired t test over the seeds (at least three), after Holm\u2019s correction';

/** Of a share of samples the highest is not the best. */
const hasBest = ({ metric, part }: Quantity): boolean => metric !== 'zero-advantage' && part !== 'agent';

function cellOf(result: ExperimentResult, own: ExperimentCell, quantity: Quantity): ReportCell {
  const { value, low, high, problems, seeds, seedSpread } = own;
  const plain = plainEstimate({ value, low, high, problems, seeds, seedSpread });
  if (!hasBest(quantity)) return plain;
  const column = result.cells.filter(
    ({ metric, part }) => metric === quantity.metric && part === quantity.part,
  );
  const values = column.map((cell) => cell.value);
  const best = column.filter((cell) => isHighest(cell.value, values));
  const isBest = best.includes(own);
  const pairs = best.flatMap((other) => pairOf(result, quantity, own.label, other.label) ?? []);
  const isSignificant = pairs.length === 0 ? null : pairs.every(differsByBothTests);
  return { ...plain, best: isBest, test: isBest ? null : { against: null, isSignificant } };
}

function pairOf({ pairs }: ExperimentResult, { metric, part }: Quantity, one: string, other: string) {
  return pairs.find(
    (pair) =>
      pair.metric === metric &&
      pair.part === part &&
      [pair.first, pair.second].includes(one) &&
      [pair.first, pair.second].includes(other) &&
      one !== other,
  );
}

function table(
  { view, result }: ExperimentSource,
  head: Pick<ReportTable, 'id' | 'title' | 'rowTitle' | 'columns' | 'notes' | 'sentences' | 'tests'>,
  rows: readonly Pick<ReportRow, 'label' | 'group' | 'cells'>[],
): ReportTable {
  const { seeds } = view.order;
  const { benchmark, nodes } = evaluatedOn(view.order);
  // A table with sentences says it in full.
  const isCautioned = head.sentences !== undefined || view.order.models !== undefined;
  const limits = isCautioned ? [] : [`${COMPLEMENT_SHORT}.`];
  return {
    ...head,
    benchmark,
    notes: [...head.notes, ...limits],
    rows: rows.map((row) => ({ ...row, seeds, nodes, scale: experimentScale(view.order) })),
    method: EXPERIMENT_METHOD,
    complete: result.complete,
  };
}

/** A row a method: its agents alone (their mean) and together as a team. */
function resultsTable(source: ExperimentSource): ReportTable {
  const { view, result } = source;
  const shown = quantities(result, ['alone', 'team']);
  return table(
    source,
    {
      id: 'results',
      title: `Methods over seeds: ${view.order.name}`,
      rowTitle: 'Method',
      columns: [
        column('method', 'Method', WHOLE, { printed: false }),
        column('families', 'Families', WHOLE, { printed: false }),
        ...shown.map(columnOf),
        column('updates_per_agent', 'Updates an agent', WHOLE, { printed: false }),
        column('samples_per_agent', 'an agent', WHOLE, { group: 'Samples' }),
        column('samples_total', 'in all', WHOLE, { group: 'Samples' }),
      ],
      notes: [
        'Alone: each agent in its own trees, mean over the agents; team: all agents in one tree.',
        ...result.sentences.filter((sentence) => ALWAYS_SAID.includes(sentence)),
      ],
      sentences: result.sentences,
      tests: TESTS,
    },
    view.order.rows.map(({ label, method, families }) => {
      const budget = result.budgets.find((one) => one.label === label);
      return {
        label,
        group: '',
        cells: [
          text(method),
          text(families.join(' ')),
          ...shown.map((quantity) => {
            const own = cellAt(result, label, quantity);
            return own === undefined ? plainEstimate(null) : cellOf(result, own, quantity);
          }),
          number(budget?.updatesPerAgent),
          number(budget?.samplesPerAgent),
          number(budget?.samplesTotal),
        ],
      };
    }),
  );
}

/** A row an agent of a method, alone in its own trees. */
function agentsTable(source: ExperimentSource): ReportTable {
  const { view, result } = source;
  const shown = quantities(result, ['agent']);
  const own = result.cells.filter(({ part }) => part === 'agent');
  return table(
    source,
    {
      id: 'agents',
      title: `Each agent alone: ${view.order.name}`,
      rowTitle: 'Agent',
      columns: shown.map(columnOf),
      notes: [],
    },
    view.order.rows.flatMap(({ label }) => {
      const cells = own.filter((cell) => cell.label === label);
      return [...new Set(cells.map(({ agentId }) => agentId))].map((agentId) => ({
        label: agentId ?? '',
        group: label,
        cells: shown.map((quantity) => {
          const cell = cells.find((one) => one.agentId === agentId && one.metric === quantity.metric);
          return cell === undefined ? plainEstimate(null) : cellOf(result, cell, quantity);
        }),
      }));
    }),
  );
}

function pairsTable(source: ExperimentSource): ReportTable {
  const { view, result } = source;
  const metrics = [...new Set(result.pairs.map(({ metric }) => metric))].map(measureOf);
  const firstMinusSecond = 'first minus second, over the seeds and problems that both have';
  const hasCounts = result.pairs.some(({ metric }) => !isRate(metric));
  const estimateOf = ({ difference: value, low, high, problems, seeds, seedSpread }: ExperimentPair) =>
    plainEstimate({ value, low, high, problems, seeds, seedSpread });
  return table(
    source,
    {
      id: 'pairs',
      title: `Differences between methods: ${view.order.name}`,
      rowTitle: 'Pair',
      tests: TESTS,
      columns: [
        column('metric', 'Metric', WHOLE, { printed: false }),
        column('part', 'Part', WHOLE, { printed: false }),
        column('first', 'First', WHOLE, { printed: false }),
        column('second', 'Second', WHOLE, { printed: false }),
        column('difference', 'Difference', POINTS, { meaning: firstMinusSecond }),
        ...(hasCounts
          ? [
              column('difference_algorithms', 'Difference, algorithms', TWO_DIGITS, {
                meaning: firstMinusSecond,
              }),
            ]
          : []),
        ODDS,
        column('p_problems', 'p over problems', P),
        column('p_seeds', 'p over seeds', P),
        column('p_holm', 'p (Holm)', P),
        column('separable', 'Significant'),
      ],
      notes: [
        ...meaningsNote(metrics.map(({ label, meaning }) => [label, meaning])),
        `${ODDS_NOTE} ${EXPERIMENT_TESTS_NOTE}`,
        ...(result.pairs.some(({ oddsRatio }) => oddsRatio === null) ? [ALIKE_NOTE] : []),
      ],
    },
    result.pairs.map((pair) => ({
      label: `${pair.first} \u2212 ${pair.second}`,
      group: `${measureOf(pair.metric).label} ${pair.part}`,
      cells: [
        text(pair.metric),
        text(pair.part),
        text(pair.first),
        text(pair.second),
        isRate(pair.metric) ? estimateOf(pair) : plainEstimate(null),
        ...(hasCounts ? [isRate(pair.metric) ? plainEstimate(null) : estimateOf(pair)] : []),
        oddsCell(pair.oddsRatio, { problems: pair.problems, seeds: pair.seeds }),
        number(pair.pProblems),
        number(pair.pSeeds),
        number(pair.pHolm),
        text(differsByBothTests(pair) ? 'yes' : 'no'),
      ],
    })),
  );
}

/** Every table and figure of an experiment that has something in it; the default ones first. */
export function experimentDocuments(
  view: ExperimentView,
  result: ExperimentResult,
  lines: readonly ExperimentLine[],
): { readonly tables: readonly ReportTable[]; readonly figures: readonly ReportFigure[] } {
  const source = { view, result };
  const curves = learningFigures(view, lines);
  if (result.cells.length === 0) return { tables: [], figures: curves };
  const tables = [resultsTable(source), pairsTable(source), agentsTable(source)];
  return { tables: tables.filter(({ rows }) => rows.length > 0), figures: [resultBars(source), ...curves] };
}
