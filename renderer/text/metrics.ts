import type { Analysis, Curve, MetricName } from '../../preload/contract/analysis';
import type { Outcome } from '../../preload/contract/folds/index';
import type { RunConfig } from '../../preload/contract/run';
import type { Scale } from '../../preload/contract/scale';
import type { Study } from '../../preload/contract/study';

const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = {
  waiting: 'waiting',
  searching: 'searching',
  grading: 'grading on the private tests',
  solved: 'solved',
  found: 'solved by a node that was not chosen',
  'public-only': 'passes the public tests only',
  unsolved: 'unsolved',
};

export function outcomeText(outcome: Outcome): string {
  return OUTCOME_TEXT[outcome];
}

export const OUTCOMES: readonly Outcome[] = [
  'solved',
  'found',
  'public-only',
  'unsolved',
  'grading',
  'searching',
  'waiting',
];

/** "heterogeneous", with the seed where a configuration has several. */
export function runLabel(study: Study, run: RunConfig): string {
  const hasSeveralSeeds =
    study.runs.filter(({ configuration }) => configuration === run.configuration).length > 1;
  return hasSeveralSeeds ? `${run.configuration}, seed ${run.seed}` : run.configuration;
}

export type Measure = Curve['measure'];

/** The measures that have curves, in the order of the switch. */
export const MEASURES: readonly { readonly id: Measure; readonly label: string; readonly over: string }[] = [
  { id: 'pass@n', label: 'Pass@N', over: 'node n' },
  { id: 'pass@n(public)', label: 'Pass@N public', over: 'node n' },
  { id: 'pass@1(mcts)', label: 'Pass@1(MCTS)', over: 'node n' },
  { id: 'pass@k', label: 'pass@k samples', over: 'sample k' },
];

export type Axis = Curve['axis'];

/** The x axis of a curve; samples have neither tokens nor seconds of a tree. */
export const AXES: readonly { readonly id: Axis; readonly label: string; readonly over: string }[] = [
  { id: 'nodes', label: 'Nodes', over: 'node n' },
  { id: 'tokens', label: 'Tokens', over: 'tokens per tree' },
  { id: 'seconds', label: 'Seconds', over: 'seconds per tree' },
  { id: 'gpu-hours', label: 'GPU-hours', over: 'GPU-hours per tree' },
  { id: 'money', label: 'Cost', over: 'cost per tree' },
];

export const METRICS: readonly { readonly id: MetricName; readonly label: string; readonly hint: string }[] =
  [
    {
      id: 'pass@1',
      label: 'Pass@1',
      hint: 'Share of independent first attempts that pass the private tests, over problems and agents',
    },
    {
      id: 'pass@10',
      label: 'Pass@10',
      hint: 'Chance that one of ten independent samples passes the private tests, unbiased over the samples taken. A row with fewer than ten has none',
    },
    {
      id: 'pass@1(mcts)',
      label: 'Pass@1(MCTS)',
      hint: 'Share of problems whose chosen node, the best on public tests, passes the private tests',
    },
    { id: 'pass@n', label: 'Pass@N', hint: 'Share of problems for which some node passes the private tests' },
    {
      id: 'pass@n(public)',
      label: 'Pass@N public',
      hint: 'Share of problems for which some node passes all public tests',
    },
  ];

/** The metrics that have a value for some configuration; until all is measured also those that nearly every study has. */
export function measuredMetrics(analysis: Pick<Analysis, 'rows' | 'complete'> | null): typeof METRICS {
  const measured = new Set((analysis?.rows ?? []).flatMap(({ cells }) => cells.map(({ metric }) => metric)));
  return METRICS.filter(({ id }) => measured.has(id) || (analysis?.complete !== true && id !== 'pass@10'));
}

/** What a token is, where that is not what a reader of language models expects; null: it is. */
export function tokenText(scale: Scale): string | null {
  return scale === 'pocket'
    ? 'A pocket policy counts the words and signs of its prompt, and of its answer one token for each operation of the program, one before and one after them.'
    : null;
}

/** Why no curve is drawn yet. */
export function emptyText(measure: Measure, analysis: Analysis): string {
  return measure === 'pass@k' && analysis.complete
    ? 'This study took no independent samples.'
    : 'Curves appear with the first graded problem.';
}
