import type {
  Analysis,
  ConfigurationRow,
  Curve,
  MetricCell,
  MetricName,
  RunView,
} from '../../preload/contract';
import { RANDOM_VERSION } from '../base';
import { Bootstrap } from './bootstrap';
import { commonProblems, compare, pairCount } from './comparison';
import {
  type ConfigurationMetrics,
  type CurveMeasure,
  configurationsOf,
  METRICS,
} from './configuration-metrics';
import { sentencesOf } from './sentences';

/** Enough that an end of a 95 % interval is known to about a twentieth of its width. */
export const DEFAULT_RESAMPLES = 2_000;

/** For a picture that is drawn again every second. */
export const LIVE_RESAMPLES = 400;

const MOST_CURVE_POINTS = 60;

const CURVES: readonly CurveMeasure[] = ['pass@n', 'pass@n(public)', 'pass@1(mcts)', 'pass@k'];

export type AnalysisInput = {
  readonly studyId: string;
  /** In the order of the table; runs of the same configuration are pooled. */
  readonly runs: readonly RunView[];
  readonly complete: boolean;
  /** Of the resampling. */
  readonly seed: number;
  readonly resamples?: number;
};

/**
 * Rows, curves and comparisons of a study (docs/search.md, Metrics). Only finished problems count, so it
 * may be called at any time; equal input gives equal bytes.
 */
export function analyseStudy(input: AnalysisInput): Analysis {
  const { studyId, runs, complete, seed, resamples = DEFAULT_RESAMPLES } = input;
  const bootstrap = new Bootstrap(seed, resamples);
  const configurations = configurationsOf(runs);
  const rows = configurations.map((metrics) => rowOf(metrics, bootstrap));
  const comparisons = compare(configurations, bootstrap);
  const compared = commonProblems(configurations).length;
  const planned = Math.min(...configurations.map((metrics) => metrics.runs[0].config.problemIds.length));
  return {
    studyId,
    rows,
    curves: configurations.flatMap((metrics) => curvesOf(metrics, bootstrap)),
    pairs: comparisons.map(({ detectable: _, ...pair }) => pair),
    sentences: sentencesOf({ configurations, rows, comparisons, compared, planned, complete }),
    method: methodOf(configurations.length, seed, resamples),
    complete,
  };
}

function rowOf(metrics: ConfigurationMetrics, bootstrap: Bootstrap): ConfigurationRow {
  const { configuration, runs, distinctShare } = metrics;
  const { team, scale, search } = runs[0].config;
  return {
    configuration,
    team: team.agents.map((agent) => agent.name).join(' + '),
    scale,
    seeds: runs.map((run) => run.config.seed),
    nodesPerTree: search.nodes,
    distinctShare,
    cells: METRICS.flatMap((metric) => cellOf(metrics, metric, bootstrap)),
  };
}

/** No cell for what was not measured: no finished problem, or no independent samples. */
function cellOf(metrics: ConfigurationMetrics, metric: MetricName, bootstrap: Bootstrap): MetricCell[] {
  const values = [...metrics.values[metric].values()];
  if (values.length === 0) return [];
  const { candidates, faults } =
    metrics.counts[metric === 'pass@1' || metric === 'pass@10' ? 'samples' : 'tree'];
  return [{ metric, ...bootstrap.mean(values), problems: values.length, candidates, faults }];
}

function curvesOf(metrics: ConfigurationMetrics, bootstrap: Bootstrap): Curve[] {
  return CURVES.flatMap((measure) => {
    const rows = metrics.curves[measure];
    const longest = rows[0]?.length ?? 0;
    if (longest === 0) return [];
    let last: { values: Float64Array; point: Curve['points'][number] } | null = null;
    const points = curvePositions(longest).map((n) => {
      const values = Float64Array.from(rows, (row) => row[n - 1] as number);
      const same = last?.values.every((value, i) => value === values[i]) ? last.point : null;
      // A step on which no problem changes needs no new resampling: most of a long curve is such steps.
      const point = { ...(same ?? bootstrap.mean(values)), n };
      last = { values, point };
      return point;
    });
    return [{ configuration: metrics.configuration, measure, points }];
  });
}

/** At most 60 of 1 ... `longest`: both ends, 1 to 10, the powers of ten, and even steps between. */
export function curvePositions(longest: number): number[] {
  if (longest <= MOST_CURVE_POINTS) return Array.from({ length: longest }, (_, i) => i + 1);
  const positions = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, longest]);
  for (let power = 100; power < longest; power *= 10) positions.add(power);
  const steps = MOST_CURVE_POINTS - positions.size;
  for (let i = 1; i <= steps; i++) positions.add(Math.round(10 + ((longest - 10) * i) / (steps + 1)));
  return [...positions].sort((a, b) => a - b);
}

function methodOf(configurations: number, seed: number, resamples: number): string {
  const pairs = pairCount(configurations);
  const sentences = [
    `Intervals: 95 % percentile bootstrap over problems, ${resamples} resamples, seed ${seed}, generator ${RANDOM_VERSION}; runs of several seeds are averaged per problem first.`,
  ];
  if (pairs > 0) {
    sentences.push(
      `Differences: paired over the problems that all configurations have finished; within each metric widened for ${pairs === 1 ? 'one pair' : `${pairs} pairs`} (Bonferroni), and claimed only where a sign test could also reach that level.`,
    );
  }
  sentences.push(
    "Pass@1: mean over agents, then problems, of the share of independent first attempts that pass. Pass@k: unbiased estimate from the same samples, those of a team's agents taken together. Pass@n and Pass@1(MCTS): over the first n nodes of the tree; nodes depend on each other, so Pass@n is no estimate of Pass@k.",
  );
  return sentences.join(' ');
}
