import type {
  DoctorCheck,
  JobView,
  TrainingPlan,
  TrainingRequest,
  TrainingSpec,
} from '../../preload/contract';
import { ok } from '../base';
import type { AsyncResult } from '../machines';
import { estimatedSeconds, type TimedTraining } from './logic/estimate';
import type { PreparedTraining } from './logic/prepared';
import { isDone } from './logic/training-view';

/** Placeholder in plans for the id that a training gets when it starts; a new id in every plan would hide real changes. */
export const PLANNED_ID = 'NUMBER';

/** The plan: the prepared command, the machine's checks if `askMachine`, and an estimate from earlier trainings. */
export async function planOf(
  request: TrainingRequest,
  training: PreparedTraining,
  options: {
    readonly askMachine: boolean;
    readonly checks: () => AsyncResult<readonly DoctorCheck[]>;
    /** With running trainings that write to the same folder. */
    readonly conflicts: readonly string[];
    readonly earlier: readonly TimedTraining[];
  },
): AsyncResult<TrainingPlan> {
  const checks = options.askMachine ? await options.checks() : ok([]);
  if (!checks.ok) return checks;
  return ok({
    commandLine: training.commandLine,
    gpus: training.gpus,
    notes: [
      ...training.notes,
      ...(training.commandLine.includes(PLANNED_ID)
        ? [`${PLANNED_ID} stands for the id that the training gets when it starts.`]
        : []),
    ],
    problems: [...training.problems, ...options.conflicts],
    checks: [...checks.value],
    estimateSeconds: estimatedSeconds(request.spec, options.earlier),
  });
}

/** How long a finished training took; null for others, and after a restart: its job knows only the last start. */
export function timedTraining(spec: TrainingSpec, job: JobView | null): TimedTraining | null {
  if (job === null || job.attempts !== 1 || !isDone(job.state)) return null;
  if (job.startedAt === null || job.endedAt === null) return null;
  return { spec, seconds: (Date.parse(job.endedAt) - Date.parse(job.startedAt)) / 1_000 };
}
