import type {
  JobState,
  JobView,
  Scale,
  TrainingAlarm,
  TrainingSpec,
  TrainingView,
} from '../../../preload/contract';
import { idleGpusText, jobHasEnded, wasStopped } from '../../../preload/contract/folds';
import { isEvaluatedAtEnd, isOwnTraining, modelScale } from '../../../preload/contract/plans';
import { trainingAgents, trainingName, trainingTitle } from './titles';
import type { SavedWatch, TrainingRecord } from './training-record';

/** The training for display. `job` null: it has none, or the job was removed. */
export function viewOfTraining(
  record: TrainingRecord,
  job: JobView | null,
  now: {
    readonly seen: SavedWatch | null;
    readonly steps: number | null;
    readonly secondsLeft: number | null;
  },
): TrainingView {
  const { id, order: request, recipe, jobId, createdAt, experimentId } = record;
  const watched = now.seen ?? record.seen;
  const isRunning = (job?.state ?? record.watched?.state)?.kind === 'running';
  return {
    id,
    name: trainingName(request),
    machineId: request.machineId,
    jobId,
    spec: request.spec,
    ...(request.grader === undefined ? {} : { grader: request.grader }),
    scale: scaleOf(request.spec, recipe),
    title: trainingTitle(request.spec, recipe),
    agents: trainingAgents(request.spec),
    state: job?.state ?? record.watched?.state ?? withoutJob(jobId),
    ...(job !== null && wasStopped(job) ? { wasStopped: true } : {}),
    ...failureOf(record, job),
    ...(job === null ? {} : restartsOf(job)),
    // A trainer that was resumed has written no stage yet: the one of its stop is still there.
    stage: isRunning && watched?.stage !== 'stopped' ? (watched?.stage ?? null) : null,
    createdAt,
    startedAt: job?.startedAt ?? null,
    endedAt: job?.endedAt ?? endOf(record.watched?.state),
    ...(job === null ? {} : earlierStartsOf(job)),
    step: watched?.step ?? 0,
    steps: isOwnTraining(request.spec) ? request.spec.updates : now.steps,
    secondsLeft: isRunning ? now.secondsLeft : null,
    latest: latestOf(request.spec, watched?.latest ?? []),
    alarms: [...(watched?.alarms ?? []), ...idleAlarms(job)],
    ...(watched?.problemsKept === undefined ? {} : { problemsKept: watched.problemsKept }),
    experimentId,
    ...(record.reproductionId === undefined ? {} : { reproductionId: record.reproductionId }),
  };
}

/** Of its last end, once the log of that was read. */
function failureOf({ seen }: TrainingRecord, job: JobView | null): Pick<TrainingView, 'failure'> {
  if (seen?.failure === undefined || job === null || !jobHasEnded(job.state)) return {};
  return seen.endedAt === job.endedAt ? { failure: seen.failure } : {};
}

/** Of its job, which knows before a step is late. */
function idleAlarms(job: JobView | null): TrainingAlarm[] {
  const { idleGpus = [] } = job ?? {};
  if (idleGpus.length === 0) return [];
  return [{ kind: 'idle-gpus', agentId: null, step: null, message: idleGpusText(idleGpus) }];
}

/** From the timeline of its job, which lasts. */
function restartsOf({ timeline, state }: JobView): Pick<TrainingView, 'restarts' | 'notRestarted'> {
  const restarts = timeline.flatMap(({ at, what, why }) => (what === 'restart' ? [{ at, why }] : []));
  const last = timeline.findLast(({ what }) => what === 'not restarted' || what === 'starting');
  const isLeft = jobHasEnded(state) && last?.what === 'not restarted';
  return {
    ...(restarts.length === 0 ? {} : { restarts }),
    ...(isLeft ? { notRestarted: last.why } : {}),
  };
}

/** The scale of a training's numbers: `paper` only where all its models are the papers', by their names. */
export function scaleOf(spec: TrainingSpec, recipe: TrainingRecord['recipe']): Scale {
  if (spec.kind === 'watched') return spec.scale;
  if (spec.kind === 'pocket') return 'pocket';
  const usual = recipe?.fields.find(({ name }) => name === 'model')?.default ?? '';
  const models =
    spec.kind === 'recipe' ? [spec.values.model ?? usual] : spec.agents.map(({ model }) => model);
  return models.every((model) => modelScale(model) === 'paper') ? 'paper' : 'own';
}

/**
 * An evaluation of a single program is meaningless. Records of earlier versions do not say what a Pass@1 was measured
 * on: in a pocket training it was the evaluation, if that had more than one program.
 */
function latestOf(spec: TrainingSpec, latest: TrainingView['latest']): TrainingView['latest'] {
  const isEvaluated = isEvaluatedAtEnd(spec);
  return latest.flatMap((value) => {
    if (value.part === 'evaluation') return isEvaluated ? [value] : [];
    if (value.part !== undefined || value.key !== 'pass@1') return [value];
    return spec.kind === 'pocket' && isEvaluated ? [{ ...value, part: 'evaluation' as const }] : [];
  });
}

function endOf(state: JobState | undefined): string | null {
  return state?.kind === 'exited' ? state.endedAt : null;
}

function withoutJob(jobId: string | null): JobState {
  const why =
    jobId === null
      ? 'The workbench quit before it was started. Resume it to start it.'
      : 'Its job was removed. Resume it to start it again from its last checkpoint.';
  return { kind: 'lost', why };
}

/** A job knows the times of its last start; its timeline has those before, unless it became too long to be kept whole. */
export function earlierStartsOf({
  timeline,
  attempts,
}: Pick<JobView, 'timeline' | 'attempts'>): Pick<TrainingView, 'earlierStarts'> {
  const starts = timeline.flatMap(({ what }, at) => (what === 'starting' ? [at] : []));
  if (attempts < 2 || starts.length !== attempts) return {};
  const earlierStarts = starts.slice(0, -1).flatMap((start, index) => {
    const moments = timeline.slice(start, starts[index + 1]);
    const from = moments.find(({ what }) => what === 'running') ?? moments[0];
    const end = moments.findLast(({ what }) => what === 'exited' || what === 'lost');
    return from === undefined || end === undefined ? [] : [{ startedAt: from.at, endedAt: end.at }];
  });
  return { earlierStarts };
}

/** Ended with exit code 0: there is nothing to resume. */
export function isDone(state: JobState): boolean {
  return state.kind === 'exited' && state.code === 0;
}
