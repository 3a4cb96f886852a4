import type { TrainingSpec, TrainingView } from '../../../../preload/contract';
import { jobHasEnded, trainingEnd, trainingEndWords } from '../../../../preload/contract/folds';
import type { StepNote } from './record';

/** A training that is killed again and again will not go through. */
const MOST_ATTEMPTS = 4;

/** What is to be done about a training step. */
export type TrainingDeed =
  | { readonly kind: 'nothing' }
  /** It runs, and takes a slot. */
  | { readonly kind: 'wait' }
  /** Needs a free slot. */
  | { readonly kind: 'start' }
  /** Needs a free slot. */
  | { readonly kind: 'resume'; readonly trainingId: string }
  /** Another plan has it, done or under way: it is not trained twice. `own`: begun here, by a start that was cut off. */
  | { readonly kind: 'adopt'; readonly training: TrainingView; readonly own: boolean }
  | { readonly kind: 'halt'; readonly trainingId: string }
  | { readonly kind: 'collect'; readonly training: TrainingView }
  | { readonly kind: 'fail'; readonly message: string }
  /** Its training is gone. */
  | { readonly kind: 'forget' };

/**
 * `training`: the step's; null: there is none. `equal`: another one of the same order, done or going on, that could
 * stand for it; `own`: of this reproduction. `since`: see `trainingEnd`.
 */
export function trainingDeed(
  note: StepNote,
  training: TrainingView | null,
  equal: { readonly training: TrainingView; readonly own: boolean } | null,
  { paused, since }: { readonly paused: boolean; readonly since: string },
): TrainingDeed {
  switch (note.state.kind) {
    case 'done':
    case 'failed':
      return { kind: 'nothing' };
    case 'planned':
      if (equal !== null && (equal.own || !paused)) return { kind: 'adopt', ...equal };
      return paused ? { kind: 'nothing' } : { kind: 'start' };
    case 'begun':
    case 'halted':
      return training === null ? { kind: 'forget' } : deedOfBegun(note, training, paused, since);
  }
}

function deedOfBegun(note: StepNote, training: TrainingView, paused: boolean, since: string): TrainingDeed {
  const { id, state } = training;
  const end = trainingEnd(state, since);
  if (end === 'done') return { kind: 'collect', training };
  if (paused) {
    return end === 'running' && note.state.kind === 'begun'
      ? { kind: 'halt', trainingId: id }
      : { kind: 'nothing' };
  }
  if (end === 'running') return { kind: 'wait' };
  if (note.state.kind === 'halted') return { kind: 'resume', trainingId: id };
  // Whoever shares it may have paused: it is gone on with here.
  if (end === 'stopped' && !note.shared) {
    return { kind: 'fail', message: 'It was stopped by hand. Retry it to go on with it.' };
  }
  if (end === 'failed') return { kind: 'fail', message: trainingEndWords(state) };
  if (note.attempts < MOST_ATTEMPTS) return { kind: 'resume', trainingId: id };
  return { kind: 'fail', message: `It was cut off ${note.attempts} times. ${trainingEndWords(state)}` };
}

/** Done or going on, on the same machine, of the same settings to the letter: it gives the same policies. */
export function equalTraining(
  spec: TrainingSpec,
  machineId: string,
  all: readonly TrainingView[],
): TrainingView | null {
  const words = JSON.stringify(spec);
  const equals = all.filter(
    (one) => one.machineId === machineId && one.spec.kind === spec.kind && JSON.stringify(one.spec) === words,
  );
  const isDone = ({ state }: TrainingView): boolean => state.kind === 'exited' && state.code === 0;
  return equals.findLast(isDone) ?? equals.findLast(({ state }) => !jobHasEnded(state)) ?? null;
}
