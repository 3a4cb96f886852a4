import type { ExperimentCell, ExperimentLine, ExperimentResult } from '../../../preload/contract/index';
import { differsByBothTests, REQUIRED_SENTENCES } from '../../../preload/contract/plans/index';
import { isHighest } from '../../base/index';
import { resultBars } from './experiment-bars';
import { detailTables } from './experiment-detail-tables';
import {
  cellIn,
  columnOf,
  type ExperimentSource,
  experimentTable,
  PARTS_NOTE,
  type Quantity,
  quantities,
} from './experiment-measures';
import { EXPERIMENT_TESTS, pairsTable } from './experiment-pair-tables';
import { learningFigures } from './learning-figures';
import type { ReportFigure } from './report-figure';
import {
  column,
  number,
  plainEstimate,
  type ReportCell,
  type ReportTable,
  text,
  WHOLE,
} from './report-table';

/** For a share of samples, the highest is not the best. */
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

/** A row per method: its agents alone (their mean) and together as a team. */
function resultsTable(source: ExperimentSource): ReportTable {
  const { view, result } = source;
  const shown = quantities(result, ['alone', 'team']);
  return experimentTable(
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
      notes: [PARTS_NOTE, ...result.sentences.filter((sentence) => REQUIRED_SENTENCES.includes(sentence))],
      sentences: result.sentences,
      tests: EXPERIMENT_TESTS,
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
            const own = cellIn(result.cells, label, quantity);
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

/** A row per agent of a method, alone in its own trees. */
function agentsTable(source: ExperimentSource): ReportTable {
  const { view, result } = source;
  const shown = quantities(result, ['agent']);
  const own = result.cells.filter(({ part }) => part === 'agent');
  return experimentTable(
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

/** Every table and figure of an experiment that has something in it; the default ones first. */
export function experimentDocuments(
  source: ExperimentSource,
  lines: readonly ExperimentLine[],
): { readonly tables: readonly ReportTable[]; readonly figures: readonly ReportFigure[] } {
  const curves = learningFigures(source.view, lines);
  if (source.result.cells.length === 0) return { tables: [], figures: curves };
  const tables = [resultsTable(source), pairsTable(source), agentsTable(source), ...detailTables(source)];
  return { tables: tables.filter(({ rows }) => rows.length > 0), figures: [resultBars(source), ...curves] };
}
