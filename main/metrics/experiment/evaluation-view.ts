import type {
  TeamEvaluation,
  TrainingEvaluation,
  TrainingEvaluationView,
  TrainingRate,
  TrainingSpec,
} from '../../../preload/contract';
import { COMPLEMENT_SHORT } from '../../../preload/contract/plans';
import { trainingGains } from '../training-gains';
import { estimateOf, experimentBootstrap } from './experiment-cells';
import { problemsOf, valuesOf } from './trained-rows';

type RateMetric = 'pass@1' | 'pass@1(mcts)' | 'pass@n';

/** The evaluation of one training with its rates: values and intervals are those of an experiment of this training alone. */
export function trainingEvaluationView(
  evaluation: TrainingEvaluation,
  spec: TrainingSpec,
): TrainingEvaluationView {
  const bootstrap = experimentBootstrap();
  const done = { label: '', seed: evaluation.seed, evaluation, zeroAdvantage: [], seconds: 0 };
  const problems = problemsOf(evaluation.teams);
  const rateOf = ({ agentIds }: TeamEvaluation, metric: RateMetric): TrainingRate | null => {
    // A team has no first attempts of its own: they are those of its agents.
    const part = agentIds.length > 1 && metric !== 'pass@1' ? 'team' : 'alone';
    const values = valuesOf({ trainings: [done] }, { metric, part, agents: agentIds }, problems);
    return values === null ? null : estimateOf(values, metric, bootstrap);
  };
  return {
    ...evaluation,
    rates: evaluation.teams.map((team) => ({
      passOne: rateOf(team, 'pass@1'),
      passOneSearch: rateOf(team, 'pass@1(mcts)'),
      passAny: rateOf(team, 'pass@n'),
    })),
    gains: trainingGains(evaluation),
    caution: cautionOf(evaluation, spec),
  };
}

/** Several agents of one family lack the same operations. */
function cautionOf({ teams }: TrainingEvaluation, spec: TrainingSpec): string | null {
  const isTeam = teams.some(({ agentIds }) => agentIds.length > 1);
  const isMixed = spec.kind === 'pocket' && new Set(spec.families).size > 1;
  return isTeam && isMixed ? `${COMPLEMENT_SHORT}.` : null;
}
