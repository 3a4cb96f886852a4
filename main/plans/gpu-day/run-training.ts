import {
  type GpuDayStep,
  type JobView,
  jobHasEnded,
  jobHasSucceeded,
  type Refusal,
  type TrainingRequest,
  type TrainingView,
} from '../../../preload/contract/index';
import { failed, ok, type Result } from '../../base/index';
import type { JobService } from '../../jobs/index';
import type { TrainingService } from '../../trainings/index';
import { measuredValues, stepProblem, type TrainingStep } from '../logic/gpu-day/training-steps';

/** `jobIds`: those that it ran, whose starts have recorded the machine. */
export type StepOutcome = Pick<GpuDayStep, 'state' | 'why' | 'values'> & {
  readonly jobIds: readonly string[];
};

/** How a step is followed. `until`: milliseconds of the clock, when it is stopped. */
export type StepRun = {
  readonly signal: AbortSignal;
  readonly until: number;
  readonly activity: (text: string) => void;
};

export type TrainingDeps = {
  readonly trainings: Pick<
    TrainingService,
    'list' | 'view' | 'plan' | 'start' | 'resume' | 'stop' | 'curves' | 'checkpoints'
  >;
  readonly jobs: Pick<JobService, 'readLog'>;
  readonly clock: { readonly now: () => number };
  readonly sleep: (ms: number) => Promise<void>;
};

/** How often a step is looked at. */
export const POLL_EVERY_MS = 2_000;
const TAIL_BYTES = 4_000;
/** How much of the log is shown when a training fails. */
const REPORTED_LINES = 5;

/** Runs the training to its end, or the rest of what an earlier call has begun. `checkpoint`: its newest that can be served. */
export async function runTraining(
  { request }: TrainingStep,
  deps: TrainingDeps,
  run: StepRun,
): Promise<StepOutcome & { readonly checkpoint: string | null }> {
  const { trainings } = deps;
  const started = await startedTraining(request, trainings);
  if (!started.ok) return failedStep(started.error);
  const { id, jobId } = started.value;
  const jobIds = jobId === null ? [] : [jobId];
  const ended = await followed(id, deps, run);
  if (!ended.ok) return failedStep(ended.error, jobIds);
  const curves = await trainings.curves(id, 1_000);
  if (!curves.ok) return failedStep(curves.error, jobIds);
  const values = measuredValues(curves.value);
  if (hasFailed(ended.value.state)) {
    const message = await lastLines(jobIds[0], deps);
    return { ...failedStep({ code: 'unavailable', message }, jobIds), values };
  }
  const why = stepProblem(request, values);
  const checkpoints = await trainings.checkpoints(id);
  const newest = checkpoints.ok ? checkpoints.value.findLast(({ canServe }) => canServe) : undefined;
  return { state: why === null ? 'done' : 'failed', why, values, jobIds, checkpoint: newest?.path ?? null };
}

/** Starts it; one that an earlier call has begun is followed, or resumed where it was stopped with that call. */
async function startedTraining(
  request: TrainingRequest,
  trainings: TrainingDeps['trainings'],
): Promise<Result<TrainingView, Refusal>> {
  const earlier = trainings
    .list()
    .findLast(({ name, machineId }) => name === request.name && machineId === request.machineId);
  if (earlier === undefined) return trainings.start(request);
  if (!hasFailed(earlier.state)) return ok(earlier);
  return earlier.wasStopped === true ? trainings.resume(earlier.id) : trainings.start(request);
}

function failedStep({ message, hint }: Refusal, jobIds: readonly string[] = []) {
  return { state: 'failed', why: textOf({ message, hint }), values: {}, jobIds, checkpoint: null } as const;
}

function hasFailed(state: JobView['state']): boolean {
  return jobHasEnded(state) && !jobHasSucceeded(state);
}

/** Its last view; a refusal where it was stopped before its end. */
async function followed(
  id: string,
  { trainings, clock, sleep }: TrainingDeps,
  { signal, until, activity }: StepRun,
): Promise<Result<TrainingView, Refusal>> {
  for (;;) {
    const view = trainings.view(id);
    if (!view.ok || jobHasEnded(view.value.state)) return view;
    const { state, step, steps, stage } = view.value;
    if (signal.aborted || clock.now() > until) {
      await trainings.stop(id);
      return failed({ code: 'cancelled', message: 'It took too long, and was stopped.' });
    }
    activity(
      state.kind === 'queued' ? state.why : `${stage ?? 'starting'}, update ${step} of ${steps ?? '?'}`,
    );
    await sleep(POLL_EVERY_MS);
  }
}

async function lastLines(jobId: string | undefined, { jobs }: TrainingDeps): Promise<string> {
  const tail = jobId === undefined ? null : await jobs.readLog(jobId, 'output', -TAIL_BYTES, TAIL_BYTES);
  const lines = tail?.ok ? tail.value.text.split('\n').filter((line) => line.trim() !== '') : [];
  return lines.length === 0 ? 'It ended without output.' : lines.slice(-REPORTED_LINES).join('\n');
}

/** A refusal in one line. */
export function textOf({
  message,
  hint,
}: {
  readonly message: string;
  readonly hint?: string | undefined;
}): string {
  return `${message} ${hint ?? ''}`.trim();
}
