import { join } from 'node:path';
import type { ExperimentLine, Refusal, TrainingCurve } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { type DoneTraining, drawnCurves, experimentLines } from '../../metrics/index';
import { damageOf, type OutcomeFile } from '../../storage/index';
import type { TrainingService } from '../../trainings/index';
import { type Experiment, type Outcome, outcomeSchema } from '../logic/experiments/experiment-record';
import { noteOf } from '../logic/plan-record';
import type { PlanStore } from '../plan-store';

/** What the trainings of an experiment measured. */
type TrainingOutcomes = Pick<TrainingService, 'evaluation' | 'curves'>;

/** Its trainings that are done, and the files with what each measured: a damaged one is among the files alone. */
export async function readOutcomes(
  store: PlanStore<Experiment>,
  { record, plan }: Experiment,
): Promise<{ readonly done: readonly DoneTraining[]; readonly files: readonly OutcomeFile[] }> {
  const done: DoneTraining[] = [];
  const files: OutcomeFile[] = [];
  for (const { id, title, label, seed } of plan.steps) {
    const { state, took } = noteOf(record, id);
    if (state.kind !== 'done') continue;
    const outcome = await store.readOutcome(record.id, outcomeFile(id), outcomeSchema);
    const path = join(store.folderOf(record.id), outcomeFile(id));
    files.push({ stepId: id, title, path, damage: damageOf(outcome) });
    if (outcome.kind !== 'read') continue;
    const { evaluation, zeroAdvantage } = outcome.value;
    done.push({ label, seed, evaluation, zeroAdvantage, seconds: took.seconds ?? 0 });
  }
  return { done, files };
}

/** The files that its tables are made from. */
export async function outcomeFilesOf(
  store: PlanStore<Experiment>,
  experiment: Experiment | null,
): Promise<readonly OutcomeFile[]> {
  return experiment === null ? [] : (await readOutcomes(store, experiment)).files;
}

/** Its learning curves so far. */
export async function linesOf(
  store: PlanStore<Experiment>,
  trainings: TrainingOutcomes,
  experiment: Experiment,
): Promise<readonly ExperimentLine[]> {
  const trained: { readonly label: string; readonly curves: readonly TrainingCurve[] }[] = [];
  for (const { id, label } of experiment.plan.steps) {
    trained.push({ label, curves: await curvesOf(store, trainings, experiment, id) });
  }
  return experimentLines(experiment.record.order, trained);
}

/** A finished training has them in its outcome, so it may be removed. */
async function curvesOf(
  store: PlanStore<Experiment>,
  trainings: TrainingOutcomes,
  { record }: Experiment,
  stepId: string,
): Promise<readonly TrainingCurve[]> {
  const { state, trainingId } = noteOf(record, stepId);
  if (state.kind === 'done') {
    const outcome = await store.readOutcome(record.id, outcomeFile(stepId), outcomeSchema);
    if (outcome.kind !== 'read') return [];
    if (outcome.value.curves !== undefined) return outcome.value.curves;
  }
  if (trainingId === null) return [];
  const curves = await trainings.curves(trainingId, ALL_POINTS);
  return curves.ok ? drawnCurves(curves.value) : [];
}

export function outcomeFile(stepId: string): string {
  return `outcomes/${stepId}.json`;
}

/** More than any training has updates. */
const ALL_POINTS = 100_000;

/** A finished training's measurements: those at its end, and the zero advantages of its samples. */
export async function readOutcome(
  trainings: TrainingOutcomes,
  trainingId: string,
): Promise<Result<Outcome, Refusal>> {
  const evaluation = await trainings.evaluation(trainingId);
  if (!evaluation.ok) return evaluation;
  if (evaluation.value === null) {
    return failed({ code: 'not-found', message: 'It ended without an evaluation. Its log may say why.' });
  }
  const curves = await trainings.curves(trainingId, ALL_POINTS);
  if (!curves.ok) return curves;
  return ok({
    evaluation: evaluation.value,
    zeroAdvantage: zeroAdvantages(curves.value),
    curves: drawnCurves(curves.value),
  });
}

/** All updates have equally many samples, so the mean over updates is the mean over samples. */
function zeroAdvantages(curves: readonly TrainingCurve[]): Outcome['zeroAdvantage'] {
  return curves.flatMap(({ agentId, key, part, values }) => {
    if (key !== 'zero-advantage' || part !== 'train' || agentId === null || values.length === 0) return [];
    return [{ agentId, share: values.reduce((sum, value) => sum + value, 0) / values.length }];
  });
}
