import type { Analysis, Curve, MetricName } from '../../preload/contract/analysis';
import { type Outcome, type RunView, treeKey } from '../../preload/contract/folds/index';
import { configurationsOf } from '../../preload/contract/plans/index';
import type { RunConfig } from '../../preload/contract/run';
import type { Study } from '../../preload/contract/study';

export { configurationsOf };

const WORDS: Readonly<Record<Outcome, string>> = {
  waiting: 'waiting',
  searching: 'searching',
  grading: 'grading on the private tests',
  solved: 'solved',
  found: 'found by a node that was not chosen',
  'public-only': 'passes the public tests only',
  unsolved: 'unsolved',
};

export function outcomeWords(outcome: Outcome): string {
  return WORDS[outcome];
}

/** What of a study has curves. */
export function curvedOf(study: Study): {
  readonly configurations: readonly string[];
  readonly nodes: number;
} {
  return {
    configurations: configurationsOf(study),
    nodes: Math.max(...study.runs.map(({ search }) => search.nodes)),
  };
}

/** "heterogeneous", with the seed where a configuration has several. */
export function runLabel(study: Study, run: RunConfig): string {
  const several = study.runs.filter(({ configuration }) => configuration === run.configuration).length > 1;
  return several ? `${run.configuration}, seed ${run.seed}` : run.configuration;
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

export type Measure = Curve['measure'];

/** The measures that have curves, in the order in which the switch shows them. */
export const MEASURES: readonly { readonly id: Measure; readonly label: string; readonly over: string }[] = [
  { id: 'pass@n', label: 'Pass@N', over: 'node n' },
  { id: 'pass@n(public)', label: 'Pass@N public', over: 'node n' },
  { id: 'pass@1(mcts)', label: 'Pass@1(MCTS)', over: 'node n' },
  { id: 'pass@k', label: 'pass@k samples', over: 'sample k' },
];

export type SeriesModel = {
  readonly id: string;
  readonly label: string;
  readonly position: number;
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    readonly low: number;
    readonly high: number;
  }[];
};

export type Axis = Curve['axis'];

/** What a curve runs over; samples know neither tokens nor seconds of a tree. */
export const AXES: readonly { readonly id: Axis; readonly label: string; readonly over: string }[] = [
  { id: 'nodes', label: 'nodes', over: 'node n' },
  { id: 'tokens', label: 'tokens', over: 'tokens of a tree' },
  { id: 'seconds', label: 'seconds', over: 'seconds of a tree' },
  { id: 'gpu-hours', label: 'GPU-hours', over: 'GPU-hours of a tree' },
  { id: 'money', label: 'money', over: 'price of a tree' },
];

/** The axes that the analysis has curves of this measure over. */
export function axesOf(analysis: Analysis | null, measure: Measure): typeof AXES {
  return AXES.filter(
    ({ id }) =>
      id === 'nodes' || analysis?.curves.some((one) => one.measure === measure && one.axis === id) === true,
  );
}

/** The curves of one measure over one axis, in the order of the configurations. */
export function seriesOf(
  configurations: readonly string[],
  analysis: Analysis | null,
  measure: Measure,
  axis: Axis = 'nodes',
): readonly SeriesModel[] {
  return configurations.map((configuration, position) => {
    const curve = analysis?.curves.find(
      (one) => one.configuration === configuration && one.measure === measure && one.axis === axis,
    );
    const points = (curve?.points ?? []).map(({ n, value, low, high }) => ({ x: n, y: value, low, high }));
    return { id: configuration, label: configuration, position, points };
  });
}

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
      hint: 'Chance that one of ten independent samples passes the private tests, unbiased over the samples taken',
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

/** Letters of each configuration in one metric: two that share one cannot be told apart. */
export function groupLetters(analysis: Analysis | null, metric: MetricName): ReadonlyMap<string, string> {
  const grouping = analysis?.groupings.find((one) => one.metric === metric);
  return new Map(grouping?.letters.map(({ configuration, letters }) => [configuration, letters]));
}

/** The number, as the tree shows it, of the first node that passes the private tests; null without one. */
export function firstPassing(view: RunView | null, problemId: string): number | null {
  const nodes = view?.trees.get(treeKey(problemId, 'search'))?.nodes ?? [];
  const found = nodes.find(({ privateVerdict }) => privateVerdict === 'passed');
  return found?.index ?? null;
}
