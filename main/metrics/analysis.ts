import type {
  Analysis,
  ConfigurationRow,
  Curve,
  MetricCell,
  MetricName,
  RunView,
} from '../../preload/contract';
import { runSteps, runStepsYielding } from '../base';
import { answerNote, methodNotes, methodText } from './analysis-method';
import { Bootstrap } from './bootstrap';
import { breakdownsOf, type ProblemFacts, stabilityOf } from './breakdowns';
import {
  commonProblems,
  compactLetters,
  comparePairs,
  comparisonCount,
  MAX_ALL_PAIRS,
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
import { withExactEnds } from './exact-rates';
import type { Intervals } from './paired-difference';
import { comparePartsSteps, partFamilies, partTestCount } from './part-pairs';
import { seedRows } from './seed-rows';
import { seedSpread } from './seed-spread';
import { sentencesOf } from './sentences';
import { shortTrees } from './short-trees';
import { TwoLevelBootstrap } from './two-level-bootstrap';

/** With this many resamples, each end of a 95 % interval is accurate to about a twentieth of its width. */
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
  for (const group of runGroupsOf(countedRuns(runs))) {
    configurations.push(yield* measureConfigurationSteps(group, null));
  }
  return yield* measuredAnalysisSteps({ ...input, configurations, priced: false });
}

/**
 * A configuration that has finished some of its seeds counts with these only: values count the problems that all seeds
 * have, so a seed that has just begun would leave no problem in common.
 */
export function countedRuns(runs: readonly RunView[]): readonly RunView[] {
  const done = new Set(runs.flatMap(({ finished, config }) => (finished ? [config.configuration] : [])));
  return runs.filter(({ finished, config }) => finished || !done.has(config.configuration));
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
  const curves = yield* curvesOf(configurations, axes, { bootstrap, overSeeds }, stepped);
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
  const notes = methodNotes(configurations.length, seed, resamples);
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
    method: methodText(notes),
    methodNotes: [...notes, answerNote(configurations)],
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
  intervals: Intervals,
  stepped: () => void,
): Generator<void, Curve[]> {
  const curves: Curve[] = [];
  for (const metrics of configurations) {
    curves.push(
      ...(yield* each(NODE_MEASURES, (measure) => nodeCurve(metrics, measure, intervals), stepped)),
    );
  }
  for (const axis of axes) {
    const grid = budgetGrid(configurations, axis);
    for (const metrics of configurations) {
      const ofAxis = (measure: TreeMeasure) => budgetCurve(metrics, { measure, axis, grid }, intervals);
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
    ...shortTrees(metrics),
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
