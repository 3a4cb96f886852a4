import type { TrainingSpec, TrainingView } from '../../../preload/contract';
import { jobHasEnded, trainingEnd, trainingEndWords } from '../../../preload/contract/folds';
import { type NextAction, nextRetry, type RetryPolicy } from '../../base';

/** A training that is killed again and again will not finish. It resumes from its checkpoint at once. */
const RESUMES: RetryPolicy<'cut-off'> = { most: { 'cut-off': 3 }, firstWaitMs: 0, longestWaitMs: 0 };

/** What a plan's record knows of a training step. */
export type TrainingStepRecord = {
  readonly state: { readonly kind: 'planned' | 'begun' | 'halted' | 'done' | 'failed' };
  readonly trainingId: string | null;
  /** Its start and automatic resumes since a person last started it. */
  readonly attempts: number;
  /** Another plan began this training, so this one does not stop it. */
  readonly shared: boolean;
};

/** A training that can stand for the step's. own: the same plan began it, and was cut off before it was noted. */
export type ExistingTraining = { readonly training: TrainingView; readonly own: boolean };

export type TrainingObservation = {
  /** The step's; null: there is none of its id. */
  readonly training: TrainingView | null;
  readonly existing: ExistingTraining | null;
  readonly paused: boolean;
  /** When this workbench was opened: see `trainingEnd`. */
  readonly since: string;
};

/** What is due for a training step. start and resume need a free slot. */
export type TrainingAction =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'start' }
  | { readonly kind: 'resume'; readonly training: TrainingView }
  | ({ readonly kind: 'adopt' } & ExistingTraining)
  | { readonly kind: 'stop'; readonly training: TrainingView }
  /** It is done: what it measured is to be saved. */
  | { readonly kind: 'collect'; readonly training: TrainingView }
  | { readonly kind: 'fail'; readonly cause: 'stopped' | 'failed' | 'cut-off'; readonly message: string }
  /** Its training was removed: it is planned again. */
  | { readonly kind: 'forget' };

const NOTHING: TrainingAction = { kind: 'nothing' };

export const nextTrainingAction: NextAction<TrainingStepRecord, TrainingObservation, TrainingAction> = (
  step,
  observed,
) => {
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
        : actionOfBegun(step, observed.training, observed);
  }
};

function actionOfBegun(
  { state, attempts, shared }: TrainingStepRecord,
  training: TrainingView,
  { paused, since }: TrainingObservation,
): TrainingAction {
  const isHalted = state.kind === 'halted';
  const end = trainingEnd(training.state, since);
  if (end === 'done') return { kind: 'collect', training };
  if (end === 'running') {
    // Also where the stop was noted already: it may have been cut off before it was done.
    return paused && !(isHalted && shared) ? { kind: 'stop', training } : NOTHING;
  }
  if (paused) return NOTHING;
  if (isHalted) return { kind: 'resume', training };
  // The other plan that shares it may have been paused: it is resumed for this one.
  if (end === 'stopped' && !shared) {
    return { kind: 'fail', cause: 'stopped', message: 'It was stopped by hand.' };
  }
  if (end === 'failed') return { kind: 'fail', cause: 'failed', message: trainingEndWords(training.state) };
  if (nextRetry(RESUMES, 'cut-off', attempts - 1) !== null) return { kind: 'resume', training };
  const message = `It was cut off ${attempts} times. ${trainingEndWords(training.state)}`;
  return { kind: 'fail', cause: 'cut-off', message };
}

/** Done or running, on the same machine, of the same settings to the letter: it gives the same policies. */
export function equalTraining(
  spec: TrainingSpec,
  machineId: string,
  all: readonly TrainingView[],
): TrainingView | null {
  const text = JSON.stringify(spec);
  const equals = all.filter(
    (training) =>
      training.machineId === machineId &&
      training.spec.kind === spec.kind &&
      JSON.stringify(training.spec) === text,
  );
  const isDone = ({ state }: TrainingView): boolean => state.kind === 'exited' && state.code === 0;
  return equals.findLast(isDone) ?? equals.findLast(({ state }) => !jobHasEnded(state)) ?? null;
}
