import type { JobState, JobView, TrainingView } from '../../../preload/contract';
import { wasStopped } from '../../../preload/contract/folds';
import { trainingAgents, trainingTitle } from './titles';
import type { TrainingRecord, TrainingSeen } from './training-record';

/** The training as people see it. `job` null: it has none, or it was removed from the list of jobs. */
export function viewOfTraining(
  record: TrainingRecord,
  job: JobView | null,
  now: {
    readonly seen: TrainingSeen | null;
    readonly steps: number | null;
    readonly secondsLeft: number | null;
  },
): TrainingView {
  const { id, order, recipe, jobId, createdAt, experimentId } = record;
  const seen = now.seen ?? record.seen;
  const isRunning = job?.state.kind === 'running';
  return {
    id,
    name: order.name,
    machineId: order.machineId,
    jobId,
    spec: order.spec,
    scale: order.spec.kind === 'pocket' ? 'pocket' : 'paper',
    title: trainingTitle(order.spec, recipe),
    agents: trainingAgents(order.spec),
    state: job?.state ?? withoutJob(jobId),
    ...(job !== null && wasStopped(job) ? { wasStopped: true } : {}),
    stage: isRunning ? (seen?.stage ?? null) : null,
    createdAt,
    startedAt: job?.startedAt ?? null,
    endedAt: job?.endedAt ?? null,
    step: seen?.step ?? 0,
    steps: order.spec.kind === 'pocket' ? order.spec.updates : now.steps,
    secondsLeft: isRunning ? now.secondsLeft : null,
    latest: seen?.latest ?? [],
    alarms: seen?.alarms ?? [],
    experimentId,
    ...(record.reproductionId === undefined ? {} : { reproductionId: record.reproductionId }),
  };
}

function withoutJob(jobId: string | null): JobState {
  const why =
    jobId === null
      ? 'The workbench ended before it was started. A resume starts it.'
      : 'Its job was removed. A resume starts it again from its last checkpoint.';
  return { kind: 'lost', why };
}

/** What ended well needs no resume. */
export function isDone(state: JobState): boolean {
  return state.kind === 'exited' && state.code === 0;
}
