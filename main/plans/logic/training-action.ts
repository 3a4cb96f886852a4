import type { JobState, TrainingSpec, TrainingView } from '../../../preload/contract';
import { jobHasEnded, jobHasSucceeded } from '../../../preload/contract/folds';
import { canonicalJson, type NextAction } from '../../base';
import type { StepNote } from './plan-record';

/** A trainer's exit code after it was asked to stop and saved a checkpoint. */
const STOPPED = 75;

/** A training that can stand for the step's. own: the same plan began it, and was cut off before it was noted. */
export type ExistingTraining = { readonly training: TrainingView; readonly own: boolean };

export type TrainingObservation = {
  /** The step's; null: there is none of its id. */
  readonly training: TrainingView | null;
  readonly existing: ExistingTraining | null;
  readonly paused: boolean;
  /**
   * When this workbench was opened, ISO date. A training that stopped earlier ended with a session or with the
   * computer, unless a user stopped it.
   */
  readonly since: string;
};

/** The next action for a training step. start and resume need a free slot. */
export type TrainingAction =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'start' }
  | { readonly kind: 'resume'; readonly training: TrainingView }
  | ({ readonly kind: 'adopt' } & ExistingTraining)
  | { readonly kind: 'stop'; readonly training: TrainingView }
  /** It is done: what it measured is to be saved. */
  | { readonly kind: 'collect'; readonly training: TrainingView }
  | { readonly kind: 'fail'; readonly cause: 'stopped' | 'failed'; readonly message: string }
  /** Its training was removed: it is planned again. */
  | { readonly kind: 'forget' };

const NOTHING: TrainingAction = { kind: 'nothing' };

/** A killed training is restarted by its job; it does not count as ended here. */
export const nextTrainingAction: NextAction<
  Pick<StepNote, 'state' | 'shared'>,
  TrainingObservation,
  TrainingAction
> = (step, observed) => {
  switch (step.state.kind) {
    case 'done':
    case 'failed':
      return NOTHING;
    case 'planned': {
      const { existing, paused } = observed;
      if (existing !== null && (existing.own || !paused)) return { kind: 'adopt', ...existing };
      return paused ? NOTHING : { kind: 'start' };
    }
    case 'begun':
    case 'halted':
      return observed.training === null
        ? { kind: 'forget' }
        : actionOfStarted(step, observed.training, observed);
  }
};

function actionOfStarted(
  { state: { kind }, shared }: Pick<StepNote, 'state' | 'shared'>,
  training: TrainingView,
  { paused, since }: TrainingObservation,
): TrainingAction {
  const { state, wasStopped } = training;
  if (!jobHasEnded(state)) {
    // Also where the stop was noted already: it may have been cut off before it was done.
    return paused && !(kind === 'halted' && shared) ? { kind: 'stop', training } : NOTHING;
  }
  const code = state.kind === 'exited' ? state.code : null;
  if (code === 0) return { kind: 'collect', training };
  if (paused) return NOTHING;
  if (kind === 'halted' || hasNoJob(training)) return { kind: 'resume', training };
  if (code !== STOPPED && wasStopped !== true) {
    return { kind: 'fail', cause: 'failed', message: endText(state) };
  }
  // The other plan that shares it may have been paused: it is resumed for this one.
  const endedWithSession = wasStopped !== true && state.kind === 'exited' && state.endedAt < since;
  return shared || endedWithSession
    ? { kind: 'resume', training }
    : { kind: 'fail', cause: 'stopped', message: 'It was stopped by hand.' };
}

/** Its start was cut off before there was a job, or its job was removed. */
function hasNoJob({ state, startedAt }: TrainingView): boolean {
  return state.kind === 'lost' && startedAt === null;
}

/** Why a training that did not succeed ended. */
function endText(state: JobState): string {
  if (state.kind === 'lost') return state.why;
  const code = state.kind === 'exited' && state.code !== null ? `with code ${state.code}` : 'without a code';
  return `Its job ended ${code}. See its log for the reason.`;
}

/**
 * Done or running on the same machine with exactly the same settings: it gives the same policies. Else the one of `isOwn` whose
 * start was cut off before there was a job, which can be resumed.
 */
export function equalTraining(
  spec: TrainingSpec,
  machineId: string,
  all: readonly TrainingView[],
  isOwn: (training: TrainingView) => boolean = () => false,
): TrainingView | null {
  const text = canonicalJson(spec);
  const equals = all.filter(
    (training) =>
      training.machineId === machineId &&
      training.spec.kind === spec.kind &&
      canonicalJson(training.spec) === text,
  );
  return (
    equals.findLast(({ state }) => jobHasSucceeded(state)) ??
    equals.findLast(({ state }) => !jobHasEnded(state)) ??
    equals.findLast((training) => isOwn(training) && hasNoJob(training)) ??
    null
  );
}
