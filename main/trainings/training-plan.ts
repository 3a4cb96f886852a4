import type { DoctorCheck, JobView, TrainingOrder, TrainingPlan, TrainingSpec } from '../../preload/contract';
import { ok } from '../base';
import type { Asked } from '../machines';
import { type EarlierTraining, estimatedSeconds } from './logic/estimate';
import type { PreparedTraining } from './logic/prepared';
import { isDone } from './logic/training-view';

/**
 * Stands in a plan for the number that a training gets when it is started: a new one at every look would only hide what
 * has changed.
 */
export const PLANNED_ID = 'NUMBER';

/** What would happen: as prepared, with what the machine says where it is to be asked, and how long it took others. */
export async function planOf(
  order: TrainingOrder,
  training: PreparedTraining,
  around: {
    readonly look: boolean;
    readonly checks: () => Asked<readonly DoctorCheck[]>;
    /** Of trainings that run and are in its way. */
    readonly occupied: readonly string[];
    readonly earlier: readonly EarlierTraining[];
  },
): Asked<TrainingPlan> {
  const checks = around.look ? await around.checks() : ok([]);
  if (!checks.ok) return checks;
  return ok({
    commandLine: training.commandLine,
    gpus: training.gpus,
    notes: [
      ...training.notes,
      ...(training.commandLine.includes(PLANNED_ID)
        ? [`${PLANNED_ID} stands for the number that the training gets when it is started.`]
        : []),
    ],
    problems: [...training.problems, ...around.occupied],
    checks: [...checks.value],
    estimateSeconds: estimatedSeconds(order.spec, around.earlier),
  });
}

/** How long one took that is done; null for others, and for one that was started twice: its job tells the last start. */
export function earlierTraining(spec: TrainingSpec, job: JobView | null): EarlierTraining | null {
  if (job === null || job.attempts !== 1 || !isDone(job.state)) return null;
  if (job.startedAt === null || job.endedAt === null) return null;
  return { spec, seconds: (Date.parse(job.endedAt) - Date.parse(job.startedAt)) / 1_000 };
}
