import {
  jobHasEnded,
  jobHasSucceeded,
  type Refusal,
  seedOfTraining,
  sweepOfTraining,
  type TrainingSweep,
  type TrainingView,
} from '../../preload/contract/index';
import { ok, type Result } from '../base/index';
import { type SweptTraining, trainingSweep } from '../metrics/index';
import type { TrainingService } from '../trainings/index';

/** Thinning keeps the ends and the extremes, which are all that counts here. */
const POINTS = 100;

/** The sweep that a training is part of, from the curves of all its trainings; null: it is part of none. */
export async function readSweepTable(
  trainingId: string,
  trainings: Pick<TrainingService, 'view' | 'list' | 'curves'>,
): Promise<Result<TrainingSweep | null, Refusal>> {
  const found = trainings.view(trainingId);
  if (!found.ok) return found;
  const sweep = sweepOfTraining(found.value, trainings.list());
  if (sweep === null) return ok(null);
  const read = async (view: TrainingView): Promise<SweptTraining> => {
    const curves = await trainings.curves(view.id, POINTS);
    return {
      ...{ trainingId: view.id, seed: seedOfTraining(view.spec) },
      curves: curves.ok ? curves.value : [],
      notDone: whyNotDone(view) ?? (curves.ok ? null : 'has curves that cannot be read'),
    };
  };
  const rows = sweep.rows.map(async ({ label, trainings: own }) => ({
    label,
    trainings: await Promise.all(own.map(read)),
  }));
  return ok(trainingSweep(sweep.name, await Promise.all(rows)));
}

function whyNotDone({ state, wasStopped }: TrainingView): string | null {
  if (jobHasSucceeded(state)) return null;
  if (!jobHasEnded(state)) return 'is not done yet';
  return wasStopped === true ? 'was stopped' : 'has failed';
}
