import { agentPosition } from '../../preload/contract/plans/index';
import type { TrainingView } from '../../preload/contract/training';
import type { TrainingEvaluationView, TrainingRate } from '../../preload/contract/training-evaluation';

export type EvaluationRow = {
  readonly id: string;
  readonly label: string;
  /** For the agent's mark; null: the whole team. */
  readonly position: number | null;
  /** Null without independent samples. */
  readonly passOne: TrainingRate | null;
  readonly passOneSearch: TrainingRate | null;
  readonly passAny: TrainingRate | null;
  /** N: nodes of each tree. */
  readonly nodes: number;
  /** Distinct programs among the nodes of a tree, mean over problems. */
  readonly distinct: number | null;
};

/** Each agent alone and the team, as measured by the trainer. */
export function evaluationRows(
  { teams, rates }: TrainingEvaluationView,
  agents: TrainingView['agents'],
): readonly EvaluationRow[] {
  return teams.map(({ agentIds, nodes, problems }, at) => {
    const [first] = agentIds;
    const isAlone = agentIds.length === 1;
    const agent = isAlone ? agents.find(({ id }) => id === first) : undefined;
    const { passOne = null, passOneSearch = null, passAny = null } = rates[at] ?? {};
    return {
      id: agentIds.join('+'),
      label: isAlone ? (agent?.name ?? first ?? '') : 'team',
      position: agent === undefined ? null : agentPosition(agents, agent.id),
      ...{ passOne, passOneSearch, passAny, nodes },
      distinct:
        problems.length === 0
          ? null
          : problems.reduce((sum, { distinctPrograms }) => sum + distinctPrograms, 0) / problems.length,
    };
  });
}
