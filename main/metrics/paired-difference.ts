import type { MetricName, Pair } from '../../preload/contract';
import type { Bootstrap } from './bootstrap';
import type { ConfigurationMetrics } from './configuration-metrics';
import { DIFFERENCES, withExactEnds } from './exact-rates';
import { oddsRatio } from './odds-ratio';
import { mcnemarP } from './paired-tests';
import { haveTrainings, seedRows } from './seed-rows';
import { seedSpread } from './seed-spread';
import { seedsP, trainingsP } from './seeds-test';
import { knownMean, type TwoLevelBootstrap } from './two-level-bootstrap';

export type PairOfConfigurations = {
  readonly first: ConfigurationMetrics;
  readonly second: ConfigurationMetrics;
};

export type Intervals = { readonly bootstrap: Bootstrap; readonly overSeeds: TwoLevelBootstrap };

/** A difference with its interval and its test, before any correction. */
export type PairedDifference = Pick<
  Pair,
  'metric' | 'first' | 'second' | 'difference' | 'low' | 'high' | 'problems' | 'oddsRatio' | 'seedSpread'
> & {
  readonly test: Omit<Pair['test'], 'pHolm'>;
  /** What its power depends on. */
  readonly spread: {
    /** Mean of the squared differences per problem. */
    readonly secondMoment: number;
    /** Its interval covers seeds as well as problems. */
    readonly overSeeds: boolean;
    /** How many trainings a side its test covers; null: it is over problems alone. */
    readonly trainings: number | null;
  };
};

/** First minus second over those of the problems that both have; null: none. Yields while it draws. */
export function* pairedDifference(
  metric: MetricName,
  { first, second }: PairOfConfigurations,
  problems: readonly string[],
  { bootstrap, overSeeds }: Intervals,
): Generator<void, PairedDifference | null> {
  const differences: number[] = [];
  for (const id of problems) {
    const a = first.values[metric].get(id);
    const b = second.values[metric].get(id);
    if (a !== undefined && b !== undefined) differences.push(a - b);
  }
  if (differences.length === 0) return null;
  const bySeed = seedDifferences(metric, first, second, problems);
  const crossed = bySeed === null ? null : overSeeds.difference(bySeed);
  const estimate = withExactEnds(crossed ?? bootstrap.mean(differences), differences.length, DIFFERENCES);
  const onlyFirst = differences.filter((each) => each > 0).length;
  const onlySecond = differences.filter((each) => each < 0).length;
  // With one run a side a tree gives one verdict per problem; samples and seeds give rates.
  const verdicts = metric !== 'pass@1' && first.runs.length === 1 && second.runs.length === 1;
  const overProblems = verdicts ? mcnemarP(onlyFirst, onlySecond) : yield* ratesP(differences, bootstrap);
  const trained = haveTrainings([first, second]);
  const p = trained
    ? trainingsP(overProblems, seedsP((bySeed ?? []).map(knownMean)))
    : Math.max(overProblems, crossed?.p ?? 0);
  return {
    metric,
    first: first.configuration,
    second: second.configuration,
    difference: estimate.value,
    low: estimate.low,
    high: estimate.high,
    problems: differences.length,
    test: {
      kind: p > overProblems ? (trained ? 'seeds' : 'two-level') : verdicts ? 'mcnemar' : 'bootstrap',
      onlyFirst,
      onlySecond,
      p,
    },
    oddsRatio: oddsRatio(onlyFirst, onlySecond),
    ...seedSpread(bySeed),
    spread: {
      secondMoment: differences.reduce((sum, each) => sum + each ** 2, 0) / differences.length,
      overSeeds: bySeed !== null,
      trainings: trained ? (bySeed?.length ?? 0) : null,
    },
  };
}

/** First minus second by seed and problem; null: they have not the same seeds, or only one. */
function seedDifferences(
  metric: MetricName,
  first: ConfigurationMetrics,
  second: ConfigurationMetrics,
  problems: readonly string[],
): number[][] | null {
  const [ofFirst, ofSecond] = [seedRows(first, metric), seedRows(second, metric)];
  const seedsOf = ({ runs }: ConfigurationMetrics): string => runs.map(({ config }) => config.seed).join();
  if (ofFirst === null || ofSecond === null || seedsOf(first) !== seedsOf(second)) return null;
  const [atFirst, atSecond] = [problemIndices(first, metric), problemIndices(second, metric)];
  const common = problems.filter((id) => atFirst.has(id) && atSecond.has(id));
  return ofFirst.map((own, seed) =>
    common.map((id) => (own[atFirst.get(id) ?? -1] ?? 0) - (ofSecond[seed]?.[atSecond.get(id) ?? -1] ?? 0)),
  );
}

/** By problem, its place in the rows of its seeds. */
export function problemIndices(
  { values }: ConfigurationMetrics,
  metric: MetricName,
): ReadonlyMap<string, number> {
  return new Map([...values[metric].keys()].map((id, at) => [id, at]));
}

/** Paired bootstrap of the problems' differences (rates, or means over seeds): p before any correction. Yields while it draws. */
export function* ratesP(differences: readonly number[], bootstrap: Bootstrap): Generator<void, number> {
  const differing = differences.filter((each) => Math.abs(each) > 1e-12).length;
  return Math.max(yield* bootstrap.pSteps(differences), smallestPossibleP(differing));
}

/**
 * A bootstrap of few differing problems gives p-values that are too small (p = 0 for three equal differences). If
 * neither configuration is better, m differing problems all have the same sign with probability 2 * 0.5^m (sign test);
 * this is the lower bound of the p-value.
 */
export function smallestPossibleP(differing: number): number {
  return Math.min(1, 2 * 0.5 ** differing);
}
