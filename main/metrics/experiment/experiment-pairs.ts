import type { ExperimentMetric, ExperimentPair, ExperimentPart } from '../../../preload/contract';
import { DIFFERENCES, withExactEnds } from '../exact-rates';
import { oddsRatioOf } from '../odds-ratio';
import { holm } from '../paired-tests';
import { seedSpread } from '../seed-spread';
import { seedsP, trainingsP } from '../seeds-test';
import { signFlipP } from '../sign-flip';
import {
  knownMean,
  problemMeans,
  type SeedsByProblems,
  type TwoLevelBootstrap,
} from '../two-level-bootstrap';
import { type TrainedRow, valuesOf } from './trained-rows';

/** Rows are compared in these metrics. The share of zero advantages is not among them: it explains results. */
const COMPARED: ReadonlyArray<readonly [ExperimentMetric, ExperimentPart]> = [
  ['pass@1', 'alone'],
  ['pass@1(mcts)', 'alone'],
  ['pass@1(mcts)', 'team'],
  ['pass@n', 'alone'],
  ['pass@n', 'team'],
  ['da@k', 'alone'],
  ['da@k', 'team'],
];

/**
 * All pairs of rows, the later minus the earlier one (a baseline is listed first), by metric and part; agents alone are
 * compared over the agents that both rows have. Yields after every pair.
 */
export function* pairsOf(
  rows: readonly TrainedRow[],
  bootstrap: TwoLevelBootstrap,
  seed: number,
): Generator<void, ExperimentPair[]> {
  const pairs: ExperimentPair[] = [];
  for (const [metric, part] of COMPARED) {
    const result: ExperimentPair[] = [];
    for (const [at, second] of rows.entries()) {
      for (const first of rows.slice(at + 1)) {
        const pair = experimentPair({ metric, part }, { first, second }, { bootstrap, seed });
        if (pair !== null) result.push(pair);
        yield;
      }
    }
    pairs.push(...correctedPairs(result));
  }
  return pairs;
}

/** One family of tests with Holm's correction over all of them. */
export function correctedPairs<P extends Pick<ExperimentPair, 'pProblems' | 'pSeeds' | 'pHolm'>>(
  family: readonly P[],
): P[] {
  const corrected = holm(family.map(({ pProblems, pSeeds }) => trainingsP(pProblems, pSeeds)));
  return family.map((pair, i) => ({ ...pair, pHolm: corrected[i] as number }));
}

type PairOptions = {
  readonly bootstrap: TwoLevelBootstrap;
  readonly seed: number;
  /** Left out: all problems. */
  readonly within?: ReadonlySet<string>;
};

/** Before Holm's correction, which needs all pairs of its family. null: the two share nothing. */
export function experimentPair(
  { metric, part }: Pick<ExperimentPair, 'metric' | 'part'>,
  { first, second }: { readonly first: TrainedRow; readonly second: TrainedRow },
  { bootstrap, seed, within }: PairOptions,
): ExperimentPair | null {
  const agents = first.agents.filter((agent) => second.agents.includes(agent));
  const inSecond = new Set(second.problems);
  const problems = first.problems.filter(
    (problem) => inSecond.has(problem) && (within?.has(problem) ?? true),
  );
  const seeds = first.trainings
    .map((training) => training.seed)
    .filter((seed) => second.trainings.some((training) => training.seed === seed));
  const valuesIn = (row: TrainedRow): SeedsByProblems | null => {
    const trainings = row.trainings.filter((training) => seeds.includes(training.seed));
    return valuesOf({ trainings }, { metric, part, agents }, problems);
  };
  const [ofFirst, ofSecond] = [valuesIn(first), valuesIn(second)];
  if (ofFirst === null || ofSecond === null) return null;
  const paired = pairedValues(ofFirst, ofSecond, metric, { bootstrap, seed });
  if (paired === null) return null;
  return { metric, part, first: first.row.label, second: second.row.label, ...paired };
}

/** First minus second by seed and problem, before Holm's correction; null: the two share nothing. */
export function pairedValues(
  ofFirst: SeedsByProblems,
  ofSecond: SeedsByProblems,
  metric: ExperimentMetric,
  { bootstrap, seed }: Pick<PairOptions, 'bootstrap' | 'seed'>,
): Omit<ExperimentPair, 'metric' | 'part' | 'first' | 'second'> | null {
  const differences = ofFirst.map((own, s) =>
    Array.from(own, (value, p) => value - (ofSecond[s]?.[p] ?? Number.NaN)),
  );
  const bySeed = differences.map(knownMean).filter((mean) => !Number.isNaN(mean));
  if (bySeed.length === 0) return null;
  const byProblem = problemMeans(differences).filter((mean) => !Number.isNaN(mean));
  const drawn = bootstrap.mean(differences);
  const { value, low, high } = metric.startsWith('pass')
    ? withExactEnds(drawn, byProblem.length, DIFFERENCES)
    : drawn;
  return {
    difference: value,
    low,
    high,
    pProblems: signFlipP(byProblem, seed),
    pSeeds: seedsP(bySeed),
    pHolm: 1,
    oddsRatio: oddsRatioOf(byProblem),
    ...seedSpread(differences),
    seeds: bySeed.length,
    problems: byProblem.length,
  };
}
