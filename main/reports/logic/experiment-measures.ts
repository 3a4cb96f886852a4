import type {
  ExperimentCell,
  ExperimentDetails,
  ExperimentMetric,
  ExperimentPart,
  ExperimentRequest,
  ExperimentResult,
  ExperimentView,
} from '../../../preload/contract/index';
import {
  ALGORITHM_DRAWS,
  COMPLEMENT_SHORT,
  EXPERIMENT_METRIC_TITLES,
  evaluatedOn,
  experimentScale,
  FEW_SEEDS_NOTE,
  mars2Search,
  metricInFiles,
  searchInFull,
} from '../../../preload/contract/plans/index';
import { metricMeaning } from './reading';
import {
  column,
  RATE,
  type ReportColumn,
  type ReportRow,
  type ReportTable,
  type ReportUnit,
} from './report-table';

/** What is measured of an experiment's methods, in the order of the window’s table, and what it counts (docs/metrics.md). */
const MEANINGS: Readonly<Record<ExperimentMetric, string>> = {
  'pass@1': metricMeaning('pass@1'),
  'pass@1(mcts)': metricMeaning('pass@1(mcts)'),
  'pass@n': metricMeaning('pass@n'),
  'da@k': `expected number of different algorithms among ${ALGORITHM_DRAWS} correct programs of a problem; problems without a correct program are left out`,
  'zero-advantage':
    'share of the training samples that teach nothing, because all rewards of their group are equal',
};
const METRICS = (Object.keys(MEANINGS) as ExperimentMetric[]).map((metric) => ({
  metric,
  ...measureOf(metric),
}));

/** How values, intervals and p of an experiment are computed. */
export const EXPERIMENT_METHOD = methodWith('the pairs of a metric and part');

/** `family`: the tests that are corrected together. */
export function methodWith(family: string): string {
  return `Values: means over problems, each the mean over its seeds. Intervals: 95 % percentile bootstrap, seeds and problems drawn independently (Owen 2007), 2,000 resamples, ${FEW_SEEDS_NOTE}. p over problems: sign flips of the mean differences over the seeds; p over seeds: paired t test; p (Holm): the larger of the two, with Holm\u2019s correction over ${family}.`;
}

export type ExperimentSource = {
  readonly view: ExperimentView;
  readonly result: ExperimentResult;
  readonly details: ExperimentDetails;
};

/** A table of an experiment, complete when the experiment is. `rows`: seeds left out are the planned ones. */
export function experimentTable(
  { view, result, details }: ExperimentSource,
  head: Pick<ReportTable, 'id' | 'title' | 'rowTitle' | 'columns' | 'notes' | 'sentences' | 'tests'> & {
    readonly method?: string;
  },
  rows: ReadonlyArray<Pick<ReportRow, 'label' | 'group' | 'cells'> & { readonly seeds?: readonly number[] }>,
): ReportTable {
  const { seeds } = view.order;
  const { benchmark, nodes } = evaluatedOn(view.order);
  // A table with sentences says it in full.
  const isCautioned = head.sentences !== undefined || view.order.models !== undefined;
  const limits = isCautioned ? [] : [`${COMPLEMENT_SHORT}.`];
  return {
    method: EXPERIMENT_METHOD,
    ...head,
    benchmark,
    searched: details.solves.problems.length,
    notes: [...head.notes, ...limits],
    rows: rows.map((row) => ({ seeds, ...row, nodes, scale: experimentScale(view.order) })),
    complete: result.complete,
  };
}

export type Quantity = {
  readonly metric: ExperimentMetric;
  readonly label: string;
  readonly meaning: string;
  readonly part: ExperimentPart;
};

/** What was measured of these parts. */
export function quantities(
  { cells }: { readonly cells: readonly ExperimentCell[] },
  parts: readonly ExperimentPart[],
): Quantity[] {
  return METRICS.flatMap((of) =>
    parts
      .filter((part) => cells.some((cell) => cell.metric === of.metric && cell.part === part))
      .map((part) => ({ ...of, part })),
  );
}

/** What a method reached; of its agents there may be several. */
export const cellIn = (
  cells: readonly ExperimentCell[],
  label: string,
  { metric, part }: Quantity,
): ExperimentCell | undefined =>
  cells.find((cell) => cell.label === label && cell.metric === metric && cell.part === part);

/** What two of the words in the heads of columns mean, and how every evaluation searches. */
export const PARTS_NOTE = `Alone: each agent in its own trees, mean over the agents; team: all agents in one tree. Search: ${searchInFull(mars2Search({ nodes: 1, samplesPerAgent: 0 }))}.`;

/** What a metric is called, and what it counts. */
export function measureOf(metric: ExperimentMetric): { readonly label: string; readonly meaning: string } {
  return { label: EXPERIMENT_METRIC_TITLES[metric], meaning: MEANINGS[metric] };
}

/** A count of algorithms is no rate. */
export const isRate = (metric: ExperimentMetric): boolean => metric !== 'da@k';

export const TWO_DIGITS: ReportUnit = { kind: 'number', digits: 2 };

const columnId = ({ metric, part }: Quantity): string =>
  part === 'agent' ? metricInFiles(metric) : `${metricInFiles(metric)}_${part}`;

/** Its label names metric and part, because notes under a table explain columns by their labels. */
export function columnOf(quantity: Quantity): ReportColumn {
  const { metric, label, part, meaning } = quantity;
  const unit = isRate(metric) ? RATE : TWO_DIGITS;
  return column(columnId(quantity), part === 'agent' ? label : `${label} ${part}`, unit, { meaning });
}

/** What the trainings of an experiment learn from. */
export function trainedOn({ models }: Pick<ExperimentRequest, 'models'>): string {
  return models === undefined ? 'the pocket train split' : models.spec.problems.benchmarkId;
}
