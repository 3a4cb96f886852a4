import type { RunComparison } from '../../../preload/contract';
import { searchInFull } from '../../../preload/contract/plans';
import { DEFAULT_RESAMPLES, type MeasuredInput, measuredAnalysisSteps } from '../analysis';
import { Bootstrap } from '../bootstrap';
import { TwoLevelBootstrap } from '../two-level-bootstrap';
import { cautionsOf } from './cautions';
import { type ComparedConfiguration, type ComparedProblem, solveMatrix } from './compared-configuration';
import { cutoffSplitSteps } from './cutoff-splits';
import { withNoise } from './grader-noise';
import { matchedPairSteps } from './matched-pairs';
import { settingDifferences } from './setting-differences';
import { teamGainSteps } from './team-gains';

/** A comparison is of no one study. */
export const COMPARISON_ID = 'comparison';

export type ComparisonInput = {
  /** In the order of the table. */
  readonly configurations: readonly ComparedConfiguration[];
  /** All problems of all configurations. */
  readonly problems: readonly ComparedProblem[];
  /** Runs without data, as "configuration, seed 3". */
  readonly missing: readonly string[];
  /** Runs left out as others of their configuration have finished, named alike; left out: none. */
  readonly unfinished?: readonly string[];
  /** What is damaged of the runs' data, a sentence each; left out: nothing. */
  readonly damaged?: readonly string[];
  /** Were the configurations measured with prices? */
  readonly priced: boolean;
  /** Training cut-offs by the name of the model; left out: none. */
  readonly cutoffs?: ReadonlyMap<string, string>;
} & Pick<MeasuredInput, 'seed' | 'resamples' | 'facts' | 'progress'>;

/** Yields after every step of some milliseconds, so that a caller can let other work run in between. */
export function* runComparisonSteps(input: ComparisonInput): Generator<void, Omit<RunComparison, 'hues'>> {
  const { configurations, problems, missing, priced, seed, resamples = DEFAULT_RESAMPLES } = input;
  const { damaged = [], unfinished = [], facts, progress } = input;
  const lacksRuns = missing.length + damaged.length + unfinished.length > 0;
  const analysis = yield* measuredAnalysisSteps({
    studyId: COMPARISON_ID,
    configurations: configurations.map(({ metrics }) => metrics),
    priced,
    complete: !lacksRuns && configurations.every(({ finished }) => finished),
    seed,
    resamples,
    ...(facts === undefined ? {} : { facts }),
    ...(progress === undefined ? {} : { progress }),
  });
  const intervals = {
    bootstrap: new Bootstrap(seed, resamples),
    overSeeds: new TwoLevelBootstrap(seed, resamples),
  };
  const gains = yield* teamGainSteps(configurations, intervals);
  const matched = yield* matchedPairSteps(
    configurations.map(({ metrics }) => metrics),
    intervals,
  );
  const { cutoffs = new Map() } = input;
  const splits = yield* cutoffSplitSteps(configurations, facts ?? new Map(), cutoffs, intervals);
  return {
    configurations: configurations.map(({ metrics }) => metrics.configuration),
    searches: configurations.map(({ configs }) =>
      [...new Set(configs.map(({ search }) => searchInFull(search)))].join(' and '),
    ),
    analysis: {
      ...analysis,
      rows: analysis.rows.map((row, at) => ({
        ...row,
        cells: row.cells.map((cell) => withNoise(cell, configurations[at]?.noise ?? null)),
      })),
    },
    solves: solveMatrix(
      configurations.map(({ metrics, solves }) => ({ configuration: metrics.configuration, solves })),
      problems,
    ),
    gains,
    cutoffs: splits,
    matched,
    contributions: configurations.map(({ contribution }) => contribution),
    shapes: configurations.map(({ shape }) => shape),
    differences: settingDifferences(configurations),
    cautions: [...damaged, ...cautionsOf(configurations, { missing, unfinished })],
  };
}
