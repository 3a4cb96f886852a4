import type { Analysis, Curve, MetricName } from '../../preload/contract/analysis';
import { type Outcome, outcomeOf, type RunView, treeKey } from '../../preload/contract/folds/index';
import type { RunConfig } from '../../preload/contract/run';
import type { Study } from '../../preload/contract/study';

/** A row of the grid: one run. `position` is that of its configuration, which decides its colour. */
export type RunRow = {
  readonly id: string;
  readonly label: string;
  readonly position: number;
  readonly cells: readonly ProblemCell[];
};
export type ProblemCell = {
  readonly kind: Outcome;
  readonly fill: number;
  readonly label: string;
};

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

/** The configurations of a study in the order of its runs: the place of each decides its colour everywhere. */
export function configurationsOf(study: Study): readonly string[] {
  return [...new Set(study.runs.map(({ configuration }) => configuration))];
}

/** "heterogeneous", with the seed where a configuration has several. */
export function runLabel(study: Study, run: RunConfig): string {
  const several = study.runs.filter(({ configuration }) => configuration === run.configuration).length > 1;
  return several ? `${run.configuration}, seed ${run.seed}` : run.configuration;
}

/** The cells of one run, a problem each. The same view gives the same cells, so rows that rest are not drawn again. */
export function cellsOf(config: RunConfig, label: string, view: RunView | null): readonly ProblemCell[] {
  const { nodes, tie } = config.search;
  return config.problemIds.map((problemId) => {
    const tree = view?.trees.get(treeKey(problemId, 'search'));
    const kind = outcomeOf(tree, tie);
    const fill = tree === undefined ? 0 : tree.nodes.length / nodes;
    const progress = kind === 'searching' ? `, ${tree?.nodes.length ?? 0} of ${nodes} nodes` : '';
    return { kind, fill, label: `${label}, ${problemId}: ${WORDS[kind]}${progress}` };
  });
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

/** How many cells there are of each outcome, in the order of `OUTCOMES`. */
export function countOutcomes(rows: readonly RunRow[]): ReadonlyMap<Outcome, number> {
  const counts = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  for (const { cells } of rows) for (const { kind } of cells) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

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

/** The curves of one measure, in the order of the study's configurations. */
export function seriesOf(study: Study, analysis: Analysis | null, measure: Measure): readonly SeriesModel[] {
  return configurationsOf(study).map((configuration, position) => {
    const curve = analysis?.curves.find(
      (one) => one.configuration === configuration && one.measure === measure,
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

/**
 * For one metric, the letters of each configuration: two share a letter when no pair that was compared tells them
 * apart. Each letter is a largest set of configurations that are pairwise not separable (compact letter display).
 * Empty for all when every two can be told apart or nothing was compared.
 */
export function groupLetters(
  configurations: readonly string[],
  pairs: Analysis['pairs'],
  metric: MetricName,
): ReadonlyMap<string, string> {
  const compared = pairs.filter((pair) => pair.metric === metric);
  const apart = (a: string, b: string): boolean =>
    compared.some(
      ({ first, second, separable }) =>
        separable && ((first === a && second === b) || (first === b && second === a)),
    );
  const known = configurations.filter((one) =>
    compared.some(({ first, second }) => first === one || second === one),
  );
  // Insert and absorb: split every set that holds a separable pair, then drop the sets within others.
  let sets: string[][] = known.length === 0 ? [] : [[...known]];
  for (let i = 0; i < known.length; i++) {
    for (let j = i + 1; j < known.length; j++) {
      const a = known[i] ?? '';
      const b = known[j] ?? '';
      if (!apart(a, b)) continue;
      const split = sets.flatMap((set) =>
        set.includes(a) && set.includes(b)
          ? [set.filter((one) => one !== a), set.filter((one) => one !== b)]
          : [set],
      );
      sets = split.filter(
        (set, at) =>
          !split.some(
            (other, where) =>
              where !== at &&
              set.every((one) => other.includes(one)) &&
              (other.length > set.length || where < at),
          ),
      );
    }
  }
  const letters = new Map<string, string>(configurations.map((one) => [one, '']));
  if (sets.every((set) => set.length < 2)) return letters;
  sets.forEach((set, at) => {
    const letter = String.fromCharCode(97 + (at % 26));
    for (const one of set) letters.set(one, (letters.get(one) ?? '') + letter);
  });
  return letters;
}

/** The number, as the tree shows it, of the first node that passes the private tests; null without one. */
export function firstPassing(view: RunView | null, problemId: string): number | null {
  const nodes = view?.trees.get(treeKey(problemId, 'search'))?.nodes ?? [];
  const found = nodes.find(({ privateVerdict }) => privateVerdict === 'passed');
  return found?.index ?? null;
}
