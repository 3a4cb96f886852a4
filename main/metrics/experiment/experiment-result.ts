import type { ExperimentRequest, ExperimentResult, PocketTraining } from '../../../preload/contract';
import { runSteps, runStepsYielding } from '../../base';
import { conclusionTexts } from '../conclusion';
import { cellsOf, EXPERIMENT_SEED, experimentBootstrap } from './experiment-cells';
import { pairsOf } from './experiment-pairs';
import { experimentConclusions } from './experiment-sentences';
import { type DoneTraining, type TrainedRow, trainedRows } from './trained-rows';

type ExperimentInput = {
  readonly experimentId: string;
  readonly request: ExperimentRequest;
  /** In any order. */
  readonly done: readonly DoneTraining[];
  /** A row's training in full, defaults filled in. */
  readonly trainingOf: (row: ExperimentRequest['rows'][number]) => Pick<PocketTraining, 'updates' | 'batch'>;
};

/** Cells, pairs and sentences of an experiment's finished trainings (docs/metrics.md). */
export function experimentResult(input: ExperimentInput): ExperimentResult {
  return runSteps(resultSteps(input));
}

/** The same, letting other work run in between: `yieldControl` is awaited after every step of some milliseconds. */
export function experimentResultInSteps(
  input: ExperimentInput,
  yieldControl: () => Promise<void>,
): Promise<ExperimentResult> {
  return runStepsYielding(resultSteps(input), yieldControl);
}

function* resultSteps({
  experimentId,
  request,
  done,
  trainingOf,
}: ExperimentInput): Generator<void, ExperimentResult> {
  const bootstrap = experimentBootstrap();
  const rows = trainedRows(request.rows, request.seeds, done);
  const cells = yield* cellsOf(rows, bootstrap);
  const pairs = yield* pairsOf(rows, bootstrap, EXPERIMENT_SEED);
  const budgets = rows.map((trained) => budgetOf(trained, trainingOf(trained.row)));
  const planned = request.rows.length * request.seeds.length;
  const counted = rows.reduce((sum, { trainings }) => sum + trainings.length, 0);
  return {
    experimentId,
    cells,
    pairs,
    budgets,
    ...conclusionTexts(experimentConclusions({ request, cells, pairs, budgets, done: counted, planned })),
    complete: counted === planned,
  };
}

/** An agent learns from its own samples only; the base policy from none. Seconds are the mean over the seeds. */
export function budgetOf(
  { row, trainings, agents }: TrainedRow,
  { updates, batch }: Pick<PocketTraining, 'updates' | 'batch'>,
): ExperimentResult['budgets'][number] {
  const updatesPerAgent = row.method === 'base' ? 0 : updates;
  const samplesPerAgent = updatesPerAgent * batch;
  const seconds = trainings.reduce((sum, training) => sum + training.seconds, 0) / trainings.length;
  return {
    label: row.label,
    updatesPerAgent,
    samplesPerAgent,
    samplesTotal: samplesPerAgent * agents.length,
    seconds,
  };
}
