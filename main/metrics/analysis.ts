import type {
  Analysis,
  ConfigurationRow,
  Curve,
  MetricCell,
  MetricName,
  RunView,
} from '../../preload/contract';
import { RANDOM_VERSION, runSteps, runStepsYielding } from '../base';
import { Bootstrap } from './bootstrap';
import { breakdownsOf, type ProblemFacts, stabilityOf } from './breakdowns';
import {
  commonProblems,
  compactLetters,
  comparePairs,
  comparisonCount,
  MAX_ALL_PAIRS,
  pairCount,
  plannedProblems,
} from './comparison';
import {
  type ConfigurationMetrics,
  METRICS,
  measureConfigurationSteps,
  runGroupsOf,
  TREE_MEASURES,
  type TreeMeasure,
} from './configuration-metrics';
import { costOf } from './costs';
import { type BudgetAxis, budgetCurve, budgetGrid, NODE_MEASURES, nodeCurve } from './curves';
import { EXACT_RATES_METHOD, withExactEnds } from './exact-rates';
import { comparePartsSteps, partFamilies, partTestCount } from './part-pairs';
import { seedRows } from './seed-rows';
import { seedSpread } from './seed-spread';
import { sentencesOf } from './sentences';
import { TwoLevelBootstrap } from './two-level-bootstrap';

/** With so many, each end of a 95 % interval is accurate to about a twentieth of its width. */
export const DEFAULT_RESAMPLES = 2_000;

const BUDGET_AXES: readonly BudgetAxis[] = ['tokens', 'seconds'];
const PRICED_AXES: readonly BudgetAxis[] = ['gpu-hours', 'money'];

/** Fewer, for a view that is redrawn every second. */
export const LIVE_RESAMPLES = 400;

export type AnalysisInput = {
  readonly studyId: string;
  /** In the order of the table; runs of the same configuration are pooled. */
  readonly runs: readonly RunView[];
  readonly complete: boolean;
  /** Seed of the resampling. */
  readonly seed: number;
  readonly resamples?: number;
  /** By problem id; without it there are no breakdowns. */
  readonly facts?: ReadonlyMap<string, ProblemFacts>;
};

/** The same for configurations whose runs were measured before. */
export type MeasuredInput = Omit<AnalysisInput, 'runs'> & {
  readonly configurations: readonly ConfigurationMetrics[];
  /** Measured with prices? Then there are curves over GPU-hours and money, and both are among the costs. */
  readonly priced: boolean;
  /** Called after every piece of work: how many are done, and of how many. */
  readonly progress?: (done: number, total: number) => void;
};

/**
 * Rows, curves and comparisons of a study (docs/metrics.md). Only finished problems count, so it may be called at any
 * time; equal input gives equal bytes.
 */
export function analyseStudy(input: AnalysisInput): Analysis {
  return runSteps(analysisSteps(input));
}

/** The same, letting other work run in between: `yieldControl` is awaited after every step of some milliseconds. */
export function analyseStudyInSteps(
  input: AnalysisInput,
  yieldControl: () => Promise<void>,
): Promise<Analysis> {
  return runStepsYielding(analysisSteps(input), yieldControl);
}

function* analysisSteps({ runs, ...input }: AnalysisInput): Generator<void, Analysis> {
  const configurations: ConfigurationMetrics[] = [];
  for (const group of runGroupsOf(runs)) configurations.push(yield* measureConfigurationSteps(group, null));
  return yield* measuredAnalysisSteps({ ...input, configurations, priced: false });
}

/** Yields after every step, so that a caller can let other work run in between. */
export function* measuredAnalysisSteps(input: MeasuredInput): Generator<void, Analysis> {
  const { studyId, configurations, priced, complete, seed, resamples = DEFAULT_RESAMPLES, facts } = input;
  const bootstrap = new Bootstrap(seed, resamples);
  const overSeeds = new TwoLevelBootstrap(seed, resamples);
  const axes = budgetAxes(configurations, priced);
  const brokenDown = facts === undefined ? [] : configurations;
  const families = partFamilies(configurations, facts ?? new Map());
  const curveSteps = NODE_MEASURES.length + axes.length * TREE_MEASURES.length;
  const total =
    (curveSteps + 3) * configurations.length +
    brokenDown.length +
    comparisonCount(configurations.length) +
    partTestCount(families);
  let done = 0;
  const stepped = (): void => {
    done += 1;
    input.progress?.(done, total);
  };
  const rows = yield* each(configurations, (metrics) => [rowOf(metrics, bootstrap, overSeeds)], stepped);
  const pairs = yield* comparePairs(configurations, bootstrap, overSeeds, stepped);
  const curves = yield* curvesOf(configurations, axes, bootstrap, overSeeds, stepped);
  const breakdowns = yield* each(
    brokenDown,
    (metrics) => breakdownsOf(metrics, facts ?? new Map(), { bootstrap, overSeeds }),
    stepped,
  );
  const partPairs = yield* comparePartsSteps(families, { bootstrap, overSeeds }, stepped);
  const stability = yield* each(
    configurations,
    (metrics) => stabilityOf(metrics, { bootstrap, overSeeds }),
    stepped,
  );
  const costs = yield* each(configurations, (metrics) => [costOf(metrics, priced)], stepped);
  const groupings = compactLetters(configurations, pairs);
  const compared = commonProblems(configurations).length;
  return {
    studyId,
    rows,
    curves,
    pairs,
    groupings,
    breakdowns,
    partPairs,
    stability,
    costs,
    differingVerdicts: configurations.reduce(
      (sum, configuration) => sum + configuration.differingVerdicts,
      0,
    ),
    ...sentencesOf({
      configurations,
      rows,
      pairs,
      groupings,
      compared,
      planned: plannedProblems(configurations),
      complete,
    }),
    method: methodOf(configurations, seed, resamples),
    complete,
  };
}

/** With more configurations than this, only curves over nodes are made: a hundred bands are unreadable. */
function budgetAxes(configurations: readonly ConfigurationMetrics[], priced: boolean): readonly BudgetAxis[] {
  if (configurations.length > MAX_ALL_PAIRS) return [];
  return priced ? [...BUDGET_AXES, ...PRICED_AXES] : BUDGET_AXES;
}

function* curvesOf(
  configurations: readonly ConfigurationMetrics[],
  axes: readonly BudgetAxis[],
  bootstrap: Bootstrap,
  overSeeds: TwoLevelBootstrap,
  stepped: () => void,
): Generator<void, Curve[]> {
  const curves: Curve[] = [];
  for (const metrics of configurations) {
    curves.push(
      ...(yield* each(
        NODE_MEASURES,
        (measure) => nodeCurve(metrics, measure, bootstrap, overSeeds),
        stepped,
      )),
    );
  }
  for (const axis of axes) {
    const grid = budgetGrid(configurations, axis);
    for (const metrics of configurations) {
      const ofAxis = (measure: TreeMeasure) => budgetCurve(metrics, { measure, axis, grid }, bootstrap);
      curves.push(...(yield* each(TREE_MEASURES, ofAxis, stepped)));
    }
  }
  return curves;
}

function* each<T, U>(
  items: readonly T[],
  act: (item: T) => readonly U[],
  stepped: () => void,
): Generator<void, U[]> {
  const all: U[] = [];
  for (const item of items) {
    all.push(...act(item));
    stepped();
    yield;
  }
  return all;
}

function rowOf(
  metrics: ConfigurationMetrics,
  bootstrap: Bootstrap,
  overSeeds: TwoLevelBootstrap,
): ConfigurationRow {
  const { configuration, runs, distinctShare } = metrics;
  const { team, scale, search } = runs[0].config;
  return {
    configuration,
    team: team.agents.map((agent) => agent.name).join(' + '),
    scale,
    seeds: runs.map((run) => run.config.seed),
    nodesPerTree: search.nodes,
    distinctShare,
    cells: METRICS.flatMap((metric) => cellOf(metrics, metric, bootstrap, overSeeds)),
  };
}

/** No cell without a measurement: no finished problem, or no independent samples. */
function cellOf(
  metrics: ConfigurationMetrics,
  metric: MetricName,
  bootstrap: Bootstrap,
  overSeeds: TwoLevelBootstrap,
): MetricCell[] {
  const values = [...metrics.values[metric].values()];
  if (values.length === 0) return [];
  const { candidates, faults } =
    metrics.counts[metric === 'pass@1' || metric === 'pass@10' ? 'samples' : 'tree'];
  const rows = seedRows(metrics, metric);
  const estimate = withExactEnds(
    rows === null ? bootstrap.mean(values) : overSeeds.mean(rows),
    values.length,
  );
  const cell = { metric, ...estimate, problems: values.length, candidates, faults, ...seedSpread(rows) };
  if (metric !== 'pass@1(mcts)') return [cell];
  const overTies = [...metrics.overTies.values()].reduce((sum, value) => sum + value, 0) / values.length;
  return [{ ...cell, overTies }];
}

function methodOf(configurations: readonly ConfigurationMetrics[], seed: number, resamples: number): string {
  const pairs = pairCount(configurations.length);
  const sentences = [
    `Intervals: 95 % percentile bootstrap over problems; exact (all resamples) where the values are multiples of a common fraction, else ${resamples.toLocaleString('en-US')} resamples, seed ${seed}, generator ${RANDOM_VERSION}; runs of several seeds are averaged per problem first, and values, differences and curves over nodes then have the two-level bootstrap over seeds and problems. ${EXACT_RATES_METHOD}`,
  ];
  if (pairs > 0) {
    const many = pairs === 1 ? 'one pair' : `${pairs} pairs`;
    sentences.push(
      `Differences: paired over the problems that all configurations have finished (where no problem is in all of them, over those that both of a pair have finished); exact McNemar test where each problem has one verdict a side, paired bootstrap where it has a rate; where each of several seeds of either side has weights of its own (a training), p is at least that of a paired t test over the seeds, and 1 for two seeds; within each metric Holm's correction for ${many}, claimed below 0.05. Their intervals are not widened for the number of pairs; smallest detectable differences and problems needed are for the strictest step of the correction and 80 % power: where an interval covers seeds, the smallest detectable difference is the least that the test claims, z of the level times the standard error (the interval's width over 3.92), and where p is at least that of the t test no less than t of the level times the standard error of the seeds' own differences, plus z (or t) of the power times the standard error, and the problems needed are left out, because more problems leave the seeds' spread as it is. Odds ratios: problems on which the first does better over those on which the second does, with the exact conditional interval (Clopper and Pearson) over problems, which leaves out the chance of training.`,
    );
  }
  if (configurations.length > MAX_ALL_PAIRS) {
    sentences.push(
      `Of more than ${MAX_ALL_PAIRS} configurations only differences from the first are tested, and curves are over nodes alone.`,
    );
  }
  sentences.push(
    "Pass@1: mean over agents, then problems, of the share of independent first attempts that pass. Pass@k: unbiased estimate from the same samples, those of a team's agents taken together. Pass@n and Pass@1(MCTS): over the first n nodes of the tree; nodes depend on each other, so Pass@n is no estimate of Pass@k.",
  );
  return sentences.join(' ');
}
