import type { TrainingView } from '../../preload/contract/training';
import type { TeamEvaluation, TrainingEvaluation } from '../../preload/contract/training-evaluation';

/** A rate with its 95 % interval over problems, all in [0, 1]. */
export type Rate = {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly problems: number;
};

export type EvaluationRow = {
  readonly id: string;
  readonly label: string;
  /** The agent's position in the team; null: the whole team. */
  readonly position: number | null;
  /** Null without independent samples. */
  readonly passOne: Rate | null;
  readonly passOneSearch: Rate | null;
  readonly passAny: Rate | null;
  /** N: nodes of each tree. */
  readonly nodes: number;
  /** Distinct programs among the nodes of a tree, mean over problems. */
  readonly distinct: number | null;
};

const Z95 = 1.959_963_985;

/**
 * Mean of values in [0, 1] with Wilson's interval. For fractional values (Pass@1 over several samples) the interval is
 * conservative.
 */
export function rateOf(values: readonly number[]): Rate | null {
  const n = values.length;
  if (n === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const share = Z95 ** 2 / n;
  const middle = (mean + share / 2) / (1 + share);
  const halfWidth = (Z95 * Math.sqrt((mean * (1 - mean)) / n + share / (4 * n))) / (1 + share);
  return {
    value: mean,
    low: Math.min(mean, Math.max(0, middle - halfWidth)),
    high: Math.max(mean, Math.min(1, middle + halfWidth)),
    problems: n,
  };
}

/** Each agent alone and the team, as measured by the trainer. */
export function evaluationRows(
  evaluation: TrainingEvaluation,
  agents: TrainingView['agents'],
): readonly EvaluationRow[] {
  return evaluation.teams.map((team) => {
    const [first] = team.agentIds;
    const position = agents.findIndex(({ id }) => id === first);
    const isAlone = team.agentIds.length === 1;
    return {
      id: team.agentIds.join('+'),
      label: isAlone ? (agents[position]?.name ?? first ?? '') : 'team',
      position: isAlone && position !== -1 ? position : null,
      passOne: rateOf(firstAttempts(team)),
      passOneSearch: rateOf(team.problems.map(({ chosenPasses }) => (chosenPasses ? 1 : 0))),
      passAny: rateOf(team.problems.map(({ somePasses }) => (somePasses ? 1 : 0))),
      nodes: team.nodes,
      distinct:
        team.problems.length === 0
          ? null
          : team.problems.reduce((sum, { distinctPrograms }) => sum + distinctPrograms, 0) /
            team.problems.length,
    };
  });
}

/** Per problem: share of first attempts that pass, mean over the agents sampled. */
function firstAttempts({ problems }: TeamEvaluation): readonly number[] {
  return problems.flatMap(({ samples }) => {
    const rates = samples.filter(({ count }) => count > 0).map(({ count, passed }) => passed / count);
    return rates.length === 0 ? [] : [rates.reduce((sum, rate) => sum + rate, 0) / rates.length];
  });
}
