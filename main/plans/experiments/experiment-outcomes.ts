import type { ExperimentLine, Refusal, TrainingCurve } from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import { type DoneTraining, drawnCurves, experimentLines } from '../../metrics/index';
import type { TrainingService } from '../../trainings/index';
import { type Experiment, type Outcome, outcomeSchema } from '../logic/experiments/experiment-record';
import { noteOf } from '../logic/plan-record';
import type { PlanStore } from '../plan-store';

/** What the trainings of an experiment measured. */
type TrainingOutcomes = Pick<TrainingService, 'evaluation' | 'curves'>;

export async function doneTrainings(
  store: PlanStore<Experiment>,
  { record, plan }: Experiment,
): Promise<DoneTraining[]> {
  const done: DoneTraining[] = [];
  for (const { id, label, seed } of plan.steps) {
    const { state, took } = noteOf(record, id);
    const outcome =
      state.kind === 'done' ? await store.readFile(record.id, outcomeFile(id), outcomeSchema) : null;
    if (outcome === null) continue;
    const { evaluation, zeroAdvantage } = outcome;
    done.push({ label, seed, evaluation, zeroAdvantage, seconds: took.seconds ?? 0 });
  }
  return done;
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

/** Of a training that is done they are in its outcome, so that it may be removed. */
async function curvesOf(
  store: PlanStore<Experiment>,
  trainings: TrainingOutcomes,
  { record }: Experiment,
  stepId: string,
): Promise<readonly TrainingCurve[]> {
  const { state, trainingId } = noteOf(record, stepId);
  const outcome =
    state.kind === 'done' ? await store.readFile(record.id, outcomeFile(stepId), outcomeSchema) : null;
  if (outcome?.curves !== undefined || trainingId === null) return outcome?.curves ?? [];
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
