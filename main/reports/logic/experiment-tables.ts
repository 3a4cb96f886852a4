import type {
  ExperimentCell,
  ExperimentLine,
  ExperimentMetric,
  ExperimentPair,
  ExperimentPart,
  ExperimentResult,
  ExperimentView,
} from '../../../preload/contract/index';
import {
  ALIKE_NOTE,
  ALWAYS_SAID,
  differsByBothTests,
  EXPERIMENT_TESTS_NOTE,
  experimentScale,
  ODDS_NOTE,
} from '../../../preload/contract/plans/index';
import { learningFigures } from './learning-figures';
import { ODDS, oddsCell } from './pair-tables';
import type { ReportFigure } from './report-figure';
import {
  column,
  isHighest,
  number,
  POINTS,
  plainEstimate,
  RATE,
  type ReportCell,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
  text,
  WHOLE,
} from './report-table';

const P = { kind: 'number', digits: 4 } as const;
const TWO_DIGITS = { kind: 'number', digits: 2 } as const;

const METRICS: readonly { readonly metric: ExperimentMetric; readonly label: string }[] = [
  { metric: 'pass@1', label: 'Pass@1' },
  { metric: 'pass@1(mcts)', label: 'Pass@1(MCTS)' },
  { metric: 'pass@n', label: 'Pass@N' },
  { metric: 'da@k', label: 'DA@K' },
  { metric: 'zero-advantage', label: 'Samples without a gradient' },
];

const METHOD =
  'Values: means over problems, each the mean over its seeds. Intervals: 95 % percentile bootstrap, seeds and problems drawn independently (Owen 2007), 2,000 resamples. p over problems: sign flips of the mean differences over the seeds, with Holm\u2019s correction over the pairs of a metric and part; p over seeds: paired t test, not corrected.';

/** Beside \u2020 and in files: without it "p < 0.05 after Holm" would be read as the whole rule. */
const TESTS =
  'significant only where both tests have p < 0.05: sign flips over problems, after Holm\u2019s correction, and a paired t test over the seeds (at least three), not corrected';

type Quantity = { readonly metric: ExperimentMetric; readonly label: string; readonly part: ExperimentPart };

/** What was measured of these parts, in the order of the window\u2019s table. */
function quantities({ cells }: ExperimentResult, parts: readonly ExperimentPart[]): Quantity[] {
  return METRICS.flatMap(({ metric, label }) =>
    parts
      .filter((part) => cells.some((cell) => cell.metric === metric && cell.part === part))
      .map((part) => ({ metric, label, part })),
  );
}

/** What a method reached; of its agents there may be several. */
const cellAt = ({ cells }: ExperimentResult, label: string, { metric, part }: Quantity) =>
  cells.find((cell) => cell.label === label && cell.metric === metric && cell.part === part);

/** A count of algorithms is no rate. */
const isRate = (metric: ExperimentMetric): boolean => metric !== 'da@k';

function columnOf({ metric, label, part }: Quantity): ReportColumn {
  const unit = isRate(metric) ? RATE : TWO_DIGITS;
  if (part === 'agent') return column(metric, label, unit);
  return column(`${metric}_${part}`, part, unit, { group: label });
}

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
  return {
    ...plain,
    best: isBest,
    tested: isBest ? result.pairs.length > 0 : pairs.length > 0,
    notSignificantlyBelowBest: !isBest && pairs.some((pair) => !differsByBothTests(pair)),
  };
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

type Source = { readonly view: ExperimentView; readonly result: ExperimentResult };

function table(
  { view, result }: Source,
  head: Pick<ReportTable, 'id' | 'title' | 'rowTitle' | 'columns' | 'notes' | 'sentences' | 'tests'>,
  rows: readonly Pick<ReportRow, 'label' | 'group' | 'cells'>[],
): ReportTable {
  const { seeds } = view.order;
  return {
    ...head,
    rows: rows.map((row) => ({ ...row, seeds, scale: experimentScale(view.order) })),
    method: METHOD,
    complete: result.complete,
  };
}

/** A row a method: its agents alone (their mean) and together as a team. */
function resultsTable(source: Source): ReportTable {
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
function agentsTable(source: Source): ReportTable {
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

function pairsTable(source: Source): ReportTable {
  const { view, result } = source;
  const labels = new Map(METRICS.map(({ metric, label }) => [metric, label]));
  const hasCounts = result.pairs.some(({ metric }) => !isRate(metric));
  const estimateOf = ({ difference: value, low, high, problems, seeds, seedSpread }: ExperimentPair) =>
    plainEstimate({ value, low, high, problems, seeds, seedSpread });
  return table(
    source,
    {
      id: 'pairs',
      title: `Differences between methods: ${view.order.name}`,
      rowTitle: 'Pair',
      columns: [
        column('metric', 'Metric', WHOLE, { printed: false }),
        column('part', 'Part', WHOLE, { printed: false }),
        column('first', 'First', WHOLE, { printed: false }),
        column('second', 'Second', WHOLE, { printed: false }),
        column('difference', 'Difference', POINTS),
        ...(hasCounts ? [column('difference_algorithms', 'Difference, algorithms', TWO_DIGITS)] : []),
        ODDS,
        column('p_problems', 'p over problems', P),
        column('p_holm', 'p (Holm)', P),
        column('p_seeds', 'p over seeds', P),
        column('separable', 'Significant'),
      ],
      notes: [
        `First minus second, in percentage points${hasCounts ? ' (of DA@K in algorithms)' : ''}, over the seeds and problems that both have. ${ODDS_NOTE} ${EXPERIMENT_TESTS_NOTE}`,
        ...(result.pairs.some(({ oddsRatio }) => oddsRatio === null) ? [ALIKE_NOTE] : []),
      ],
    },
    result.pairs.map((pair) => ({
      label: `${pair.first} \u2212 ${pair.second}`,
      group: `${labels.get(pair.metric) ?? pair.metric}, ${pair.part}`,
      cells: [
        text(pair.metric),
        text(pair.part),
        text(pair.first),
        text(pair.second),
        isRate(pair.metric) ? estimateOf(pair) : plainEstimate(null),
        ...(hasCounts ? [isRate(pair.metric) ? plainEstimate(null) : estimateOf(pair)] : []),
        oddsCell(pair.oddsRatio, { problems: pair.problems, seeds: pair.seeds }),
        number(pair.pProblems),
        number(pair.pHolm),
        number(pair.pSeeds),
        text(differsByBothTests(pair) ? 'yes' : 'no'),
      ],
    })),
  );
}

function resultBars({ view, result }: Source): ReportFigure {
  const shown = quantities(result, ['alone', 'team']).filter(
    ({ metric }) => isRate(metric) && metric !== 'zero-advantage',
  );
  const scale = experimentScale(view.order);
  return {
    kind: 'bars',
    id: 'results-bars',
    title: `Methods over seeds: ${view.order.name}`,
    scale,
    legend: ['Whiskers: 95 % intervals over seeds and problems.'],
    notes: [],
    method: METHOD,
    complete: result.complete,
    y: { label: `Problems (%), ${scale}`, unit: 'rate' },
    groups: shown.map(({ label, part }) => `${label}, ${part}`),
    // Colours by position, as in the window.
    series: view.order.rows.map(({ label }, position) => ({
      label,
      position,
      hue: position,
      bars: shown.map((quantity) => {
        const cell = cellAt(result, label, quantity);
        return cell === undefined ? null : { y: cell.value, low: cell.low, high: cell.high };
      }),
      reference: shown.map(() => null),
    })),
  };
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
