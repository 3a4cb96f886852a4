import type {
  ExperimentMetric,
  ExperimentPart,
  ExperimentRow,
  TeamEvaluation,
  TrainingEvaluation,
} from '../../../preload/contract';
import { ALGORITHM_DRAWS } from '../../../preload/contract/plans';
import { assertNever } from '../../base';
import { distinctAlgorithms } from '../diversity/algorithm-measures';
import { knownMean, type SeedsByProblems } from '../two-level-bootstrap';

/** A training of an experiment that is done. */
export type DoneTraining = {
  readonly label: string;
  readonly seed: number;
  readonly evaluation: TrainingEvaluation;
  /** By agent: the share of its training samples without a gradient. Empty: it had none. */
  readonly zeroAdvantage: ReadonlyArray<{ readonly agentId: string; readonly share: number }>;
  /** How long it took. */
  readonly seconds: number;
};

/** A row of an experiment with its finished trainings, at least one, by seed. */
export type TrainedRow = {
  readonly row: ExperimentRow;
  readonly trainings: readonly DoneTraining[];
  /** Ids, in the order of the evaluations. */
  readonly agents: readonly string[];
  /** All problems that any of its evaluations has. */
  readonly problems: readonly string[];
};

export function trainedRows(
  rows: readonly ExperimentRow[],
  seeds: readonly number[],
  done: readonly DoneTraining[],
): TrainedRow[] {
  return rows.flatMap((row) => {
    const trainings = seeds.flatMap(
      (seed) => done.find((training) => training.label === row.label && training.seed === seed) ?? [],
    );
    if (trainings.length === 0) return [];
    const teams = trainings.flatMap(({ evaluation }) => evaluation.teams);
    const agents = unique(teams.flatMap(({ agentIds }) => (isAlone({ agentIds }) ? agentIds : [])));
    return [{ row, trainings, agents, problems: problemsOf(teams) }];
  });
}

/** Ids of all problems that any of them has. */
export function problemsOf(teams: readonly TeamEvaluation[]): string[] {
  return unique(teams.flatMap((team) => team.problems.map(({ problemId }) => problemId)));
}

export type Quantity = {
  readonly metric: ExperimentMetric;
  readonly part: ExperimentPart;
  /** Part `agent`: the one agent; `alone`: the agents to average; `team`: ignored. */
  readonly agents: readonly string[];
};

/**
 * The quantity by seed and problem; null if no training has it. For `alone`, the mean over the agents that have it in a
 * seed and problem. The share of zero advantages belongs to the training as a whole, so it has a single placeholder
 * problem.
 */
export function valuesOf(
  { trainings }: Pick<TrainedRow, 'trainings'>,
  { metric, part, agents }: Quantity,
  problems: readonly string[],
): SeedsByProblems | null {
  const values = trainings.map((training): readonly number[] => {
    if (metric === 'zero-advantage') {
      return part === 'team' ? [Number.NaN] : [knownMean(agents.map((agent) => zeroShare(training, agent)))];
    }
    const { teams } = training.evaluation;
    if (part === 'team')
      return problemValues(
        teams.findLast((team) => !isAlone(team)),
        metric,
        null,
        problems,
      );
    const each = agents.map((agent) => {
      const alone = teams.find((team) => isAlone(team) && team.agentIds[0] === agent);
      return problemValues(alone, metric, agent, problems);
    });
    return problems.map((_, at) => knownMean(each.map((own) => own[at] as number)));
  });
  return values.some((own) => own.some((value) => !Number.isNaN(value))) ? values : null;
}

function isAlone({ agentIds }: Pick<TeamEvaluation, 'agentIds'>): boolean {
  return agentIds.length === 1;
}

function zeroShare({ zeroAdvantage }: DoneTraining, agent: string): number {
  return zeroAdvantage.find(({ agentId }) => agentId === agent)?.share ?? Number.NaN;
}

function problemValues(
  team: TeamEvaluation | undefined,
  metric: Exclude<ExperimentMetric, 'zero-advantage'>,
  agent: string | null,
  problems: readonly string[],
): number[] {
  const byId = new Map(team?.problems.map((problem) => [problem.problemId, problem]));
  return problems.map((id) => {
    const problem = byId.get(id);
    return problem === undefined ? Number.NaN : problemValue(problem, metric, agent);
  });
}

function problemValue(
  problem: TeamEvaluation['problems'][number],
  metric: Exclude<ExperimentMetric, 'zero-advantage'>,
  agent: string | null,
): number {
  switch (metric) {
    case 'pass@1': {
      // A team has no first attempts of its own: they are those of its agents.
      const samples = problem.samples.find(({ agentId }) => agentId === agent);
      return samples === undefined || samples.count === 0 ? Number.NaN : samples.passed / samples.count;
    }
    case 'pass@1(mcts)':
      return Number(problem.chosenPasses);
    case 'pass@n':
      return Number(problem.somePasses);
    case 'da@k':
      // A problem without a correct candidate is excluded (docs/metrics.md).
      return problem.algorithms.length === 0
        ? Number.NaN
        : distinctAlgorithms(problem.algorithms, ALGORITHM_DRAWS);
    default:
      return assertNever(metric);
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
