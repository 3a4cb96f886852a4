import type { Curve, MetricName, RunView, TreePart, TreeView } from '../../preload/contract';
import { treeKey } from '../../preload/contract/folds';
import { runSteps } from '../base';
import { type Prices, ratesOf } from './costs';
import { passAtK } from './pass-at-k';
import {
  isDone,
  isProblemDone,
  type SampleCounts,
  sampleCounts,
  samplesPart,
  type TreeSeries,
  type TreeUse,
  treeSeries,
  treeUse,
} from './run-metrics';
import { type RunUse, useOf } from './run-use';
import { finishedSeeds } from './seed-spread';

/** The order of the metrics in tables and sentences. */
export const METRICS = [
  'pass@1',
  'pass@10',
  'pass@1(mcts)',
  'pass@n',
  'pass@n(public)',
] as const satisfies MetricName[];

export type CurveMeasure = Curve['measure'];
export type TreeMeasure = Exclude<CurveMeasure, 'pass@k'>;

/** The search tree of one problem in one run. */
export type MeasuredTree = { readonly series: TreeSeries; readonly use: TreeUse };

/** One configuration with the runs of all its seeds pooled: one value per problem, the mean over the seeds. */
export type ConfigurationMetrics = {
  readonly configuration: string;
  /** At least one, by seed. The rest of the views is not kept in memory: hundreds of runs would fill it. */
  readonly runs: readonly [MeasuredRun, ...MeasuredRun[]];
  /** Problems whose trees are all done in all runs, in the order of the first run; unanswered ones left out. */
  readonly done: readonly string[];
  /** Per metric and problem a rate in [0, 1]; a problem without data has no entry. */
  readonly values: Readonly<Record<MetricName, ReadonlyMap<string, number>>>;
  /** Pass@1(MCTS) per problem when ties are broken by chance. */
  readonly overTies: ReadonlyMap<string, number>;
  /** Candidates that count and candidates left out, in trees and among the independent samples. */
  readonly counts: Readonly<Record<'tree' | 'samples', { candidates: number; faults: number }>>;
  /** Per measure one row per problem: the rate at n (or k) = 1, 2 ... Rows of a measure are equally long. */
  readonly curves: Readonly<Record<CurveMeasure, readonly Float64Array[]>>;
  /** Per problem that counts in trees: its trees, one per run of which the sandbox left something. */
  readonly trees: ReadonlyArray<readonly MeasuredTree[]>;
  /** Per problem with samples: the counts of each run. */
  readonly samples: ReadonlyArray<readonly SampleCounts[]>;
  /** Different programs among all candidates of the same problem and run, as a share; 0 without programs. */
  readonly distinctShare: number;
  /** Over all trees and samples, finished or not. */
  readonly use: RunUse;
  /** The same of each run; empty if one has not finished. */
  readonly useBySeed: readonly RunUse[];
  /** Nodes with different verdicts in the two grading modes. */
  readonly differingVerdicts: number;
};

export type MeasuredRun = Pick<RunView, 'config'>;

/** Groups runs by configuration, in the order of first appearance, runs by seed. */
export function runGroupsOf(runs: readonly RunView[]): Array<[RunView, ...RunView[]]> {
  const groups = new Map<string, [RunView, ...RunView[]]>();
  for (const run of runs) {
    const group = groups.get(run.config.configuration);
    if (group === undefined) groups.set(run.config.configuration, [run]);
    else group.push(run);
  }
  return [...groups.values()].map((group) => group.sort((a, b) => a.config.seed - b.config.seed));
}

/**
 * A recording without any answer to this problem says nothing about the model, so the problem is excluded. (A recording
 * with too few answers counts with those that it has.)
 */
export function isUnanswered(run: RunView, problemId: string): boolean {
  const tree = run.trees.get(treeKey(problemId, 'search'));
  return tree !== undefined && tree.searched === 'exhausted' && tree.nodes.length === 0;
}

/** Problems per step: some milliseconds, with a few seeds of trees of 60 nodes. */
const PROBLEMS_IN_A_STEP = 8;

/** Counts everything about one configuration; `runs` are its runs, by seed. `prices`: for GPU-hours and money. */
export function measureConfiguration(
  runs: readonly [RunView, ...RunView[]],
  prices: Prices | null = null,
): ConfigurationMetrics {
  return runSteps(measureConfigurationSteps(runs, prices));
}

/** The same, yielding after every few problems, so that a caller can let other work run in between. */
export function* measureConfigurationSteps(
  runs: readonly [RunView, ...RunView[]],
  prices: Prices | null,
): Generator<void, ConfigurationMetrics> {
  const [first, ...others] = runs;
  const rates = new Map(
    prices === null ? [] : runs.map(({ config }) => [config, ratesOf(config, prices)] as const),
  );
  const limit = first.config.search.nodes;
  const planned = runs.map((run) => new Set(run.config.problemIds));
  const done = first.config.problemIds.filter((id) =>
    runs.every((run, i) => planned[i]?.has(id) && isProblemDone(run, id) && !isUnanswered(run, id)),
  );
  const values: Record<MetricName, Map<string, number>> = {
    'pass@1': new Map(),
    'pass@10': new Map(),
    'pass@1(mcts)': new Map(),
    'pass@n': new Map(),
    'pass@n(public)': new Map(),
  };
  const overTies = new Map<string, number>();
  const counts = { tree: { candidates: 0, faults: 0 }, samples: { candidates: 0, faults: 0 } };
  const rows: Record<TreeMeasure, Float64Array[]> = {
    'pass@n': [],
    'pass@n(public)': [],
    'pass@1(mcts)': [],
  };
  const trees: MeasuredTree[][] = [];
  const sampled = new Map<string, readonly SampleCounts[]>();

  for (const [at, problemId] of done.entries()) {
    if (at % PROBLEMS_IN_A_STEP === PROBLEMS_IN_A_STEP - 1) yield;
    const all = doneTrees(runs, problemId, () => 'search').map(
      ([run, tree]): MeasuredTree => ({
        series: treeSeries(tree, limit, run.config.search),
        use: treeUse(tree, rates.get(run.config) ?? null),
      }),
    );
    for (const { series } of all) add(counts.tree, series.candidates, series.faults);
    // Excluded: a tree all of whose nodes are sandbox faults.
    const counted = all.filter(({ series }) => series.candidates > 0 || series.faults === 0);
    if (counted.length > 0) {
      trees.push(counted);
      overTies.set(problemId, mean(counted.map(({ series }) => series.overTies)));
      for (const measure of TREE_MEASURES) {
        const row = meanRow(counted.map(({ series }) => series[SERIES[measure]]));
        rows[measure].push(row);
        values[measure].set(problemId, row[limit - 1] as number);
      }
    }

    const samples = doneTrees(runs, problemId, (run) => samplesPart(run.config.search)).map(([, tree]) =>
      sampleCounts(tree),
    );
    for (const sample of samples) add(counts.samples, sample.samples, sample.faults);
    const withSamples = samples.filter((sample) => sample.samples > 0);
    if (withSamples.length > 0) {
      sampled.set(problemId, withSamples);
      values['pass@1'].set(problemId, mean(withSamples.map((sampleCounts) => sampleCounts.passRate)));
    }
  }

  yield;
  const unbiased = passAtKRows([...sampled.values()]);
  for (const [i, problemId] of [...sampled.keys()].entries()) {
    const ofTen = unbiased[i]?.[9];
    if (ofTen !== undefined) values['pass@10'].set(problemId, ofTen);
  }
  yield;
  const share = distinctShare(runs, done);
  yield;
  return {
    configuration: first.config.configuration,
    runs: [measured(first), ...others.map(measured)],
    done,
    values,
    overTies,
    counts,
    curves: { ...rows, 'pass@k': unbiased },
    trees,
    samples: [...sampled.values()],
    distinctShare: share,
    use: useOf(runs, prices),
    useBySeed: finishedSeeds(runs).map((run) => useOf([run], prices)),
    differingVerdicts: differingVerdicts(runs),
  };
}

function measured({ config }: RunView): MeasuredRun {
  return { config };
}

function differingVerdicts(runs: readonly RunView[]): number {
  let differing = 0;
  for (const run of runs)
    for (const tree of run.trees.values())
      for (const node of tree.nodes) if (node.otherVerdict !== null) differing += 1;
  return differing;
}

export const TREE_MEASURES = ['pass@n', 'pass@n(public)', 'pass@1(mcts)'] as const satisfies TreeMeasure[];

/** The series of a tree that each measure reads. */
export const SERIES = {
  'pass@n': 'found',
  'pass@n(public)': 'foundPublic',
  'pass@1(mcts)': 'chosen',
} as const satisfies Record<TreeMeasure, keyof TreeSeries>;

/** The number of independent samples that every problem has in every run; 0 if a problem has none. */
export function fewestSamples(samples: ReadonlyArray<readonly SampleCounts[]>): number {
  if (samples.length === 0) return 0;
  return Math.min(...samples.map((runs) => Math.min(...runs.map((run) => run.samples))));
}

function doneTrees(
  runs: readonly RunView[],
  problemId: string,
  partOf: (run: RunView) => TreePart | null,
): Array<[RunView, TreeView]> {
  return runs.flatMap((run) => {
    const part = partOf(run);
    const tree = part === null ? undefined : run.trees.get(treeKey(problemId, part));
    return isDone(tree) ? [[run, tree]] : [];
  });
}

/** k goes up to the smallest number of samples of any problem in any run. */
function passAtKRows(sampled: ReadonlyArray<readonly SampleCounts[]>): Float64Array[] {
  const largestK = fewestSamples(sampled);
  return sampled.map((runs) =>
    Float64Array.from({ length: largestK }, (_, i) =>
      mean(runs.map((run) => passAtK(run.samples, run.passed, i + 1) as number)),
    ),
  );
}

function distinctShare(runs: readonly RunView[], problemIds: readonly string[]): number {
  let programs = 0;
  let distinct = 0;
  for (const run of runs) {
    for (const problemId of problemIds) {
      const digests = new Set<string>();
      for (const part of ['search', 'samples'] as const) {
        for (const { programDigest } of run.trees.get(treeKey(problemId, part))?.nodes ?? []) {
          if (programDigest === null) continue;
          programs += 1;
          digests.add(programDigest);
        }
      }
      distinct += digests.size;
    }
  }
  return programs === 0 ? 0 : distinct / programs;
}

function add(counts: { candidates: number; faults: number }, candidates: number, faults: number): void {
  counts.candidates += candidates;
  counts.faults += faults;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanRow(rows: readonly Float64Array[]): Float64Array {
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) return only;
  return Float64Array.from({ length: only?.length ?? 0 }, (_, i) =>
    mean(rows.map((row) => row[i] as number)),
  );
}
