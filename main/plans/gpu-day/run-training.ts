import {
  type GpuDayStep,
  type JobView,
  jobHasEnded,
  type Refusal,
  type TrainingView,
} from '../../../preload/contract/index';
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
  readonly trainings: Pick<TrainingService, 'list' | 'view' | 'start' | 'stop' | 'curves' | 'checkpoints'>;
  readonly jobs: Pick<JobService, 'readLog'>;
  readonly clock: { readonly now: () => number };
  readonly sleep: (ms: number) => Promise<void>;
};

const POLL_EVERY_MS = 2_000;
const TAIL_BYTES = 4_000;
/** Of the log, where a training fails. */
const TOLD_LINES = 5;

/** Starts the training, or follows the one that an earlier call has started, to its end. */
export async function runTraining(
  { request }: TrainingStep,
  deps: TrainingDeps,
  run: StepRun,
): Promise<StepOutcome & { readonly checkpoint: string | null }> {
  const { trainings } = deps;
  const refused = ({ message, hint }: Refusal, jobIds: readonly string[] = []) =>
    ({
      state: 'failed',
      why: `${message} ${hint ?? ''}`.trim(),
      values: {},
      jobIds,
      checkpoint: null,
    }) as const;
  const earlier = trainings
    .list()
    .find(
      ({ name, machineId, state }) =>
        name === request.name && machineId === request.machineId && !hasFailed(state),
    );
  const started = earlier === undefined ? await trainings.start(request) : null;
  if (started !== null && !started.ok) return refused(started.error);
  const { id, jobId } = earlier ?? (started?.ok ? started.value : (earlier as never));
  const jobIds = jobId === null ? [] : [jobId];

  const ended = await followed(id, deps, run);
  if (ended.kind === 'refused') return refused(ended.refusal, jobIds);
  if (ended.kind === 'late')
    return refused({ code: 'unavailable', message: 'It took too long, and was stopped.' }, jobIds);
  const curves = await trainings.curves(id, 1_000);
  if (!curves.ok) return refused(curves.error, jobIds);
  const values = measuredValues(curves.value);
  if (hasFailed(ended.view.state)) {
    return { ...refused({ code: 'unavailable', message: await lastLines(jobIds[0], deps) }, jobIds), values };
  }
  const fault = stepProblem(request, values);
  const checkpoints = await trainings.checkpoints(id);
  const checkpoint = checkpoints.ok
    ? (checkpoints.value.findLast(({ canServe }) => canServe)?.path ?? null)
    : null;
  return { state: fault === null ? 'done' : 'failed', why: fault, values, jobIds, checkpoint };
}

function hasFailed(state: JobView['state']): boolean {
  return jobHasEnded(state) && !(state.kind === 'exited' && state.code === 0);
}

type Followed =
  | { readonly kind: 'ended'; readonly view: TrainingView }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'late' };

async function followed(
  id: string,
  { trainings, clock, sleep }: TrainingDeps,
  { signal, until, activity }: StepRun,
): Promise<Followed> {
  for (;;) {
    const view = trainings.view(id);
    if (!view.ok) return { kind: 'refused', refusal: view.error };
    const { state, step, steps, stage } = view.value;
    if (jobHasEnded(state)) return { kind: 'ended', view: view.value };
    const isLate = clock.now() > until;
    if (signal.aborted || isLate) {
      await trainings.stop(id);
      return isLate
        ? { kind: 'late' }
        : { kind: 'refused', refusal: { code: 'cancelled', message: 'Stopped.' } };
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
  return lines.length === 0 ? 'It ended without a word.' : lines.slice(-TOLD_LINES).join('\n');
}
