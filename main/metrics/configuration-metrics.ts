import type { Curve, MetricName, RunView, TreePart, TreeView } from '../../preload/contract';
import { treeKey } from '../../preload/contract/folds';
import { passAtK } from './pass-at-k';
import {
  isDone,
  isProblemDone,
  type SampleCounts,
  sampleCounts,
  samplesPart,
  treeSeries,
} from './run-metrics';

/** The order of the metrics in tables and sentences. */
export const METRICS = [
  'pass@1',
  'pass@10',
  'pass@1(mcts)',
  'pass@n',
  'pass@n(public)',
] as const satisfies MetricName[];

export type CurveMeasure = Curve['measure'];

/** One configuration with its runs of all seeds pooled: one value per problem, the mean over the seeds. */
export type ConfigurationMetrics = {
  readonly configuration: string;
  /** At least one, by seed. */
  readonly runs: readonly [RunView, ...RunView[]];
  /** Problems whose trees are all done in all runs, in the order of the first run. */
  readonly done: readonly string[];
  /** Per metric and problem a rate in [0, 1]; a problem of which nothing is known is not in it. */
  readonly values: Readonly<Record<MetricName, ReadonlyMap<string, number>>>;
  /** Candidates that count and candidates left out, in trees and among the independent samples. */
  readonly counts: Readonly<Record<'tree' | 'samples', { candidates: number; faults: number }>>;
  /** Per measure one row per problem: the rate at n (or k) = 1, 2 ... Rows of a measure are equally long. */
  readonly curves: Readonly<Record<CurveMeasure, readonly Float64Array[]>>;
  /** Different programs among all candidates of the same problem and run, as a share; 0 without programs. */
  readonly distinctShare: number;
};

/** Groups runs by configuration, in the order of first appearance, runs by seed. */
export function configurationsOf(runs: readonly RunView[]): ConfigurationMetrics[] {
  const groups = new Map<string, [RunView, ...RunView[]]>();
  for (const run of runs) {
    const group = groups.get(run.config.configuration);
    if (group === undefined) groups.set(run.config.configuration, [run]);
    else group.push(run);
  }
  return [...groups.values()].map((group) => measure(group.sort((a, b) => a.config.seed - b.config.seed)));
}

function measure(runs: [RunView, ...RunView[]]): ConfigurationMetrics {
  const [first] = runs;
  const limit = first.config.search.nodes;
  const done = first.config.problemIds.filter((id) =>
    runs.every((run) => run.config.problemIds.includes(id) && isProblemDone(run, id)),
  );
  const values: Record<MetricName, Map<string, number>> = {
    'pass@1': new Map(),
    'pass@10': new Map(),
    'pass@1(mcts)': new Map(),
    'pass@n': new Map(),
    'pass@n(public)': new Map(),
  };
  const counts = { tree: { candidates: 0, faults: 0 }, samples: { candidates: 0, faults: 0 } };
  const rows: Record<Exclude<CurveMeasure, 'pass@k'>, Float64Array[]> = {
    'pass@n': [],
    'pass@n(public)': [],
    'pass@1(mcts)': [],
  };
  const sampled = new Map<string, readonly SampleCounts[]>();

  for (const problemId of done) {
    const all = doneTrees(runs, problemId, () => 'search').map(([run, tree]) =>
      treeSeries(tree, limit, run.config.search.tie),
    );
    for (const one of all) add(counts.tree, one.candidates, one.faults);
    // A tree of which the sandbox left nothing says nothing; one that never had a node has found nothing.
    const series = all.filter((one) => one.candidates > 0 || one.faults === 0);
    if (series.length > 0) {
      const found = meanRow(series.map((one) => one.found));
      const foundPublic = meanRow(series.map((one) => one.foundPublic));
      const chosen = meanRow(series.map((one) => one.chosen));
      rows['pass@n'].push(found);
      rows['pass@n(public)'].push(foundPublic);
      rows['pass@1(mcts)'].push(chosen);
      values['pass@n'].set(problemId, found[limit - 1] as number);
      values['pass@n(public)'].set(problemId, foundPublic[limit - 1] as number);
      values['pass@1(mcts)'].set(problemId, chosen[limit - 1] as number);
    }

    const samples = doneTrees(runs, problemId, (run) => samplesPart(run.config.search)).map(([, tree]) =>
      sampleCounts(tree),
    );
    for (const one of samples) add(counts.samples, one.samples, one.faults);
    const counted = samples.filter((one) => one.samples > 0);
    if (counted.length > 0) {
      sampled.set(problemId, counted);
      values['pass@1'].set(problemId, mean(counted.map((one) => one.passRate)));
    }
  }

  const { configuration } = first.config;
  const unbiased = passAtKRows([...sampled.values()]);
  for (const [i, problemId] of [...sampled.keys()].entries()) {
    const ofTen = unbiased[i]?.[9];
    if (ofTen !== undefined) values['pass@10'].set(problemId, ofTen);
  }
  const curves = { ...rows, 'pass@k': unbiased };
  return { configuration, runs, done, values, counts, curves, distinctShare: distinctShare(runs, done) };
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

/** k goes up to the fewest samples that some problem has in some run. */
function passAtKRows(sampled: ReadonlyArray<readonly SampleCounts[]>): Float64Array[] {
  if (sampled.length === 0) return [];
  const largestK = Math.min(...sampled.map((runs) => Math.min(...runs.map((run) => run.samples))));
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
      const digests = (['search', 'samples'] as const).flatMap((part) =>
        known(run.trees.get(treeKey(problemId, part))?.nodes.map((node) => node.programDigest) ?? []),
      );
      programs += digests.length;
      distinct += new Set(digests).size;
    }
  }
  return programs === 0 ? 0 : distinct / programs;
}

function add(counts: { candidates: number; faults: number }, candidates: number, faults: number): void {
  counts.candidates += candidates;
  counts.faults += faults;
}

function known<T>(items: readonly (T | null)[]): T[] {
  return items.filter((item) => item !== null);
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
