import type { PassCount, TrainingEvaluation, TrainingGain } from '../../preload/contract/index';
import { DEFAULT_RESAMPLES } from './analysis';
import { BOOTSTRAP_SEED, Bootstrap } from './bootstrap';
import { DIFFERENCES, withExactEnds } from './exact-rates';
import { oddsRatioOf } from './odds-ratio';

/**
 * Pass@1 of each agent alone before and after its training, on the same problems. The interval of the difference is
 * paired: a percentile bootstrap over problems of the differences per problem. Agents and problems that were not
 * measured both times are left out; empty without a measurement before.
 */
export function trainingGains({ before = [], teams }: TrainingEvaluation): TrainingGain[] {
  const bootstrap = new Bootstrap(BOOTSTRAP_SEED, DEFAULT_RESAMPLES);
  const earlier = new Map(before.map((count) => [count.problemId, count]));
  return teams.flatMap(({ agentIds: [agentId, ...others], problems }) => {
    if (agentId === undefined || others.length > 0) return [];
    const pairs = problems.flatMap((after) => {
      const rates = [earlier.get(after.problemId), after].map((count) => rateOf(count, agentId));
      const [one, other] = rates;
      return one == null || other == null ? [] : [{ before: one, after: other }];
    });
    if (pairs.length === 0) return [];
    const mean = (of: (pair: (typeof pairs)[number]) => number): number =>
      pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
    const differences = pairs.map((pair) => pair.after - pair.before);
    const drawn = bootstrap.mean(differences);
    const { value, low, high } = withExactEnds(drawn, pairs.length, DIFFERENCES);
    return {
      agentId,
      problems: pairs.length,
      before: mean((pair) => pair.before),
      after: mean((pair) => pair.after),
      ...{ difference: value, low, high, oddsRatio: oddsRatioOf(differences) },
    };
  });
}

/** null: the agent was not asked. */
function rateOf(count: Pick<PassCount, 'samples'> | undefined, agentId: string): number | null {
  const sample = count?.samples.find((sample) => sample.agentId === agentId);
  return sample === undefined || sample.count === 0 ? null : sample.passed / sample.count;
}
