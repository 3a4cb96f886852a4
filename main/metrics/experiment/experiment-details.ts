import type {
  ExperimentDetails,
  ExperimentMetric,
  ExperimentPart,
  ExperimentRequest,
  MethodCost,
  MethodSolve,
  MethodSolves,
  ModelTraining,
  PocketTraining,
  ProblemOutline,
} from '../../../preload/contract';
import { runStepsYielding } from '../../base';
import { GROUPINGS, type ProblemFacts, partsOf, testedParts } from '../breakdowns';
import { detailPairs } from '../comparison';
import { seedSpreads } from '../seed-spread';
import { type ComparedProblem, solveMatrix } from '../teams/compared-configuration';
import { trainingDifferences } from '../teams/setting-differences';
import { problemMeans, type TwoLevelBootstrap } from '../two-level-bootstrap';
import { cellOf, EXPERIMENT_SEED, experimentBootstrap } from './experiment-cells';
import { gainsOf, methodStability } from './experiment-gains';
import { correctedPairs, experimentPair } from './experiment-pairs';
import { budgetOf } from './experiment-result';
import { type DoneTraining, type TrainedRow, trainedRows, valuesOf } from './trained-rows';

/** What is known of a problem that trainings are evaluated on. */
export type HeldOutProblem = Pick<ProblemOutline, 'id' | 'title' | 'difficulty' | 'date' | 'platform'> & {
  readonly benchmarkId: string;
};

type DetailsInput = {
  readonly request: ExperimentRequest;
  /** In any order. */
  readonly done: readonly DoneTraining[];
  /** Those that are known; of others there is no title, and they are in no part. */
  readonly problems: readonly HeldOutProblem[];
  /** A row's training in full, defaults filled in. */
  readonly trainingOf: (row: ExperimentRequest['rows'][number]) => PocketTraining | ModelTraining;
};

/** Rates, as of studies: of numbers of algorithms a part of the problems has too few. */
const BROKEN_DOWN: ReadonlyArray<readonly [ExperimentMetric, ExperimentPart]> = [
  ['pass@1', 'alone'],
  ['pass@1(mcts)', 'alone'],
  ['pass@1(mcts)', 'team'],
  ['pass@n', 'alone'],
  ['pass@n', 'team'],
];

/** What exports have of an experiment beside its result (docs/metrics.md). `yieldControl` is awaited after every step of some milliseconds. */
export function experimentDetailsInSteps(
  input: DetailsInput,
  yieldControl: () => Promise<void>,
): Promise<ExperimentDetails> {
  return runStepsYielding(detailsSteps(input), yieldControl);
}

function* detailsSteps({
  request,
  done,
  problems,
  trainingOf,
}: DetailsInput): Generator<void, ExperimentDetails> {
  const bootstrap = experimentBootstrap();
  const rows = trainedRows(request.rows, request.seeds, done);
  const facts = new Map(
    problems.map(({ id, difficulty, date, platform }): [string, ProblemFacts] => [
      id,
      { difficulty, date, ...(platform === null ? {} : { platform }) },
    ]),
  );
  return {
    breakdowns: yield* breakdownsOf(rows, facts, bootstrap),
    partPairs: yield* partPairsOf(rows, facts, bootstrap),
    solves: methodSolves(rows, problems),
    gains: yield* gainsOf(rows, bootstrap),
    stability: yield* methodStability(rows, bootstrap),
    costs: rows.map((row) => costOf(row, trainingOf(row.row), request.models?.resources.gpus ?? 0)),
    settings: trainingDifferences(request.rows.map(trainingOf)),
  };
}

function* breakdownsOf(
  rows: readonly TrainedRow[],
  facts: ReadonlyMap<string, ProblemFacts>,
  bootstrap: TwoLevelBootstrap,
): Generator<void, ExperimentDetails['breakdowns'][number][]> {
  const all: ExperimentDetails['breakdowns'][number][] = [];
  for (const by of GROUPINGS) {
    for (const [part, within] of partsOf(problemsIn(rows), facts, by)) {
      for (const row of rows) {
        for (const [metric, of] of BROKEN_DOWN) {
          const quantity = { metric, part: of, agents: row.agents };
          const cell = cellOf(row, quantity, bootstrap, within);
          if (cell !== null) all.push({ ...cell, within: { by, part } });
        }
        yield;
      }
    }
  }
  return all;
}

/** The pairs that studies compare in parts; the experiment's own tests. */
function* partPairsOf(
  rows: readonly TrainedRow[],
  facts: ReadonlyMap<string, ProblemFacts>,
  bootstrap: TwoLevelBootstrap,
): Generator<void, ExperimentDetails['partPairs'][number][]> {
  const all: ExperimentDetails['partPairs'][number][] = [];
  for (const { by, parts } of testedParts(problemsIn(rows), facts)) {
    for (const [metric, of] of BROKEN_DOWN) {
      const family: ExperimentDetails['partPairs'][number][] = [];
      for (const sides of detailPairs(rows)) {
        for (const [part, problemIds] of parts) {
          const options = { bootstrap, seed: EXPERIMENT_SEED, within: new Set(problemIds) };
          const pair = experimentPair({ metric, part: of }, sides, options);
          if (pair !== null) family.push({ ...pair, within: { by, part } });
          yield;
        }
      }
      all.push(...correctedPairs(family));
    }
  }
  return all;
}

function problemsIn(rows: readonly TrainedRow[]): string[] {
  return [...new Set(rows.flatMap(({ problems }) => problems))];
}

function methodSolves(rows: readonly TrainedRow[], problems: readonly HeldOutProblem[]): MethodSolves {
  const known = new Map(problems.map((problem) => [problem.id, problem]));
  const compared = problemsIn(rows).map((id): ComparedProblem => {
    const { benchmarkId = '', title = id, difficulty = null } = known.get(id) ?? {};
    return { key: id, problemId: id, benchmarkId, title, difficulty };
  });
  const matrix = solveMatrix(
    rows.map((row) => ({ configuration: row.row.label, solves: solvesOf(row) })),
    compared,
  );
  return { ...matrix, single: rows.filter((row) => !hasTeam(row)).map(({ row }) => row.label) };
}

function hasTeam({ trainings }: TrainedRow): boolean {
  return trainings.some(({ evaluation }) => evaluation.teams.some(({ agentIds }) => agentIds.length > 1));
}

/** By problem, of those that some seed was evaluated on. */
function solvesOf(row: TrainedRow): ReadonlyMap<string, MethodSolve> {
  const { agents, problems } = row;
  const sharesOf = (metric: ExperimentMetric, part: ExperimentPart): readonly number[] =>
    problemMeans(valuesOf(row, { metric, part, agents }, problems) ?? []);
  const part = hasTeam(row) ? 'team' : 'alone';
  const solved = sharesOf('pass@1(mcts)', part);
  const found = sharesOf('pass@n', part);
  const alone = sharesOf('pass@1(mcts)', 'alone');
  return new Map(
    problems.flatMap((id, at): [string, MethodSolve][] => {
      const [solved01, found01, alone01] = [solved[at], found[at], alone[at]] as [number, number, number];
      return Number.isNaN(solved01) ? [] : [[id, { solved01, found01, alone01 }]];
    }),
  );
}

const AMOUNTS = ['seconds', 'gpuSeconds', 'samples', 'evaluationPrograms'] as const;

function costOf(trained: TrainedRow, training: PocketTraining | ModelTraining, gpus: number): MethodCost {
  const { row, trainings } = trained;
  const { samplesTotal: samples } = budgetOf(trained, training);
  const bySeed = trainings.map(({ seconds, evaluation }) => ({
    ...{ seconds, gpuSeconds: seconds * gpus, samples },
    evaluationPrograms: programsOf(evaluation),
  }));
  const sumOf = (name: (typeof AMOUNTS)[number]): number => bySeed.reduce((sum, own) => sum + own[name], 0);
  return {
    label: row.label,
    seeds: trainings.map(({ seed }) => seed),
    seconds: sumOf('seconds'),
    gpuSeconds: sumOf('gpuSeconds'),
    samples: sumOf('samples'),
    evaluationPrograms: sumOf('evaluationPrograms'),
    ...seedSpreads(bySeed, AMOUNTS),
  };
}

/** Every tree has all its nodes; a team's first attempts are those of its agents again. */
function programsOf({ teams }: DoneTraining['evaluation']): number {
  const written = teams.flatMap(({ agentIds, nodes, problems }) =>
    problems.map(({ samples }) => nodes + (agentIds.length > 1 ? 0 : (samples[0]?.count ?? 0))),
  );
  return written.reduce((sum, own) => sum + own, 0);
}
