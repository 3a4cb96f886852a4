import type { Contribution, RunView, SolveMatrix, TreeShape } from '../../../preload/contract';
import { selectedNode, treeKey } from '../../../preload/contract/folds';
import {
  type ConfigurationMetrics,
  isUnanswered,
  measureConfigurationSteps,
  runGroupsOf,
} from '../configuration-metrics';
import type { Prices } from '../costs';
import { isDone, isFault } from '../run-metrics';
import { contributionOf } from './contributions';
import type { GraderNoise } from './grader-noise';
import { treeShape } from './tree-shapes';

/** A run with the study that holds its trees. */
export type StudyRunView = { readonly studyId: string; readonly view: RunView };

export type Solve = NonNullable<SolveMatrix['problems'][number]['cells'][number]>;

/** A comparison's data about one configuration; it does not keep the views. */
export type ComparedConfiguration = {
  readonly metrics: ConfigurationMetrics;
  /** Of its runs, by seed. */
  readonly configs: readonly RunView['config'][];
  /** By problem, for those that some run has finished. */
  readonly solves: ReadonlyMap<string, Solve>;
  /** Have all runs finished? */
  readonly finished: boolean;
  readonly appVersions: readonly string[];
  readonly contribution: Contribution;
  readonly shape: TreeShape;
  /** null: its runs were not graded again. */
  readonly noise: GraderNoise | null;
};

/** `placed`: at least one; all of one configuration. `prices`: for GPU-hours and money. Yields after every step. */
export function* measureComparedSteps(
  placed: readonly [StudyRunView, ...StudyRunView[]],
  prices: Prices | null,
  noise: GraderNoise | null = null,
): Generator<void, ComparedConfiguration> {
  const [runs] = runGroupsOf(placed.map(({ view }) => view));
  if (runs === undefined) throw new RangeError('A configuration needs a run');
  const { configuration } = runs[0].config;
  const studyOf = new Map(placed.map(({ studyId, view }) => [view.config.id, studyId]));
  const metrics = yield* measureConfigurationSteps(runs, prices);
  const solves = solvesOf(runs, studyOf);
  yield;
  const contribution = contributionOf(configuration, runs);
  yield;
  return {
    metrics,
    configs: runs.map(({ config }) => config),
    solves,
    finished: runs.every(({ finished }) => finished),
    appVersions: [...new Set(runs.map(({ appVersion }) => appVersion))],
    contribution,
    shape: treeShape(configuration, runs),
    noise,
  };
}

/** Shares of the seeds that have finished the problem; `runRef`: the first of them. */
function solvesOf(
  runs: readonly RunView[],
  studyOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, Solve> {
  const solves = new Map<string, Solve>();
  for (const id of new Set(runs.flatMap(({ config }) => config.problemIds))) {
    let runRef: Solve['runRef'] | null = null;
    let [seeds, solved, found] = [0, 0, 0];
    for (const run of runs) {
      const tree = run.trees.get(treeKey(id, 'search'));
      if (!isDone(tree) || isUnanswered(run, id)) continue;
      const { search } = run.config;
      const counted = tree.nodes.slice(0, search.nodes).filter((node) => !isFault(node));
      // Excluded: a tree all of whose nodes are sandbox faults.
      if (counted.length === 0 && tree.nodes.length > 0) continue;
      runRef ??= { studyId: studyOf.get(run.config.id) ?? '', runId: run.config.id };
      seeds += 1;
      if (selectedNode(counted, search)?.privateVerdict === 'passed') solved += 1;
      if (counted.some(({ privateVerdict }) => privateVerdict === 'passed')) found += 1;
    }
    if (runRef !== null) solves.set(id, { solved01: solved / seeds, found01: found / seeds, runRef });
  }
  return solves;
}

/** A problem as shown. `key`: its unique name in the comparison, since two benchmarks may use the same name. */
export type ComparedProblem = {
  readonly key: string;
  readonly problemId: string;
  readonly benchmarkId: string;
  readonly title: string;
  readonly difficulty: string | null;
};

/** A column of a matrix of who solves what; by the problem's key. */
type Solver<S> = { readonly configuration: string; readonly solves: ReadonlyMap<string, S> };

/** Problems by configurations; problems that no configuration has finished are empty rows. */
export function solveMatrix<S extends Pick<Solve, 'solved01'>>(
  configurations: readonly Solver<S>[],
  problems: readonly ComparedProblem[],
): Omit<SolveMatrix, 'problems'> & {
  problems: Array<Omit<ComparedProblem, 'key'> & { cells: Array<S | null> }>;
} {
  const rows = problems.map(({ key, ...problem }) => ({
    ...problem,
    cells: configurations.map(({ solves }) => solves.get(key) ?? null),
  }));
  const byOneAlone = configurations.map(() => 0);
  let [byAll, byNone] = [0, 0];
  for (const { cells } of rows) {
    if (cells.length === 0 || cells.includes(null)) continue;
    const by = cells.flatMap((cell, at) => (cell !== null && cell.solved01 > 0.5 ? [at] : []));
    if (by.length === cells.length) byAll += 1;
    if (by.length === 0) byNone += 1;
    const [only] = by;
    if (by.length === 1 && only !== undefined) byOneAlone[only] = (byOneAlone[only] ?? 0) + 1;
  }
  return {
    configurations: configurations.map(({ configuration }) => configuration),
    problems: rows,
    byAll,
    byNone,
    byOneAlone,
  };
}
