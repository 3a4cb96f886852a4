import type { TrainingView } from '../../../../preload/contract';
import { trainingEnd, trainingEndWords } from '../../../../preload/contract/folds';
import type { ExperimentRecord, Member } from './experiment-record';

/** A training that is killed again and again will not go through. */
const MOST_ATTEMPTS = 4;

/** What is to be done about one training of an experiment. */
export type Deed =
  | { readonly kind: 'nothing' }
  /** It runs, and takes a slot. */
  | { readonly kind: 'wait' }
  /** Its training is known under this id, though the record does not say so yet. */
  | { readonly kind: 'adopt'; readonly trainingId: string }
  /** Needs a free slot. */
  | { readonly kind: 'start' }
  | { readonly kind: 'resume'; readonly trainingId: string }
  | { readonly kind: 'halt'; readonly trainingId: string }
  /** It is done: what it measured is to be kept. */
  | { readonly kind: 'collect'; readonly training: TrainingView }
  | { readonly kind: 'fail'; readonly message: string }
  /** Its training is gone. */
  | { readonly kind: 'forget' };

const NOTHING: Deed = { kind: 'nothing' };

/**
 * `training`: the member's, null where there is none of its id; `stray`: one of its name that the record does not know,
 * of a start that was cut off. `since`: when this workbench was opened, ISO date: a stop before was nobody's wish that
 * could be asked now, but the end of a session or of the computer.
 */
export function nextDeed(
  { paused }: Pick<ExperimentRecord, 'paused'>,
  member: Member,
  training: TrainingView | null,
  stray: TrainingView | null,
  since: string,
): Deed {
  switch (member.state.kind) {
    case 'done':
    case 'failed':
      return NOTHING;
    case 'planned':
      if (stray !== null) return { kind: 'adopt', trainingId: stray.id };
      return paused ? NOTHING : { kind: 'start' };
    case 'begun':
    case 'halted':
      if (training === null) return { kind: 'forget' };
      return deedOfTraining(paused, member, training, since);
  }
}

function deedOfTraining(paused: boolean, member: Member, training: TrainingView, since: string): Deed {
  const { id, state } = training;
  const end = trainingEnd(state, since);
  if (end === 'running') return paused ? { kind: 'halt', trainingId: id } : { kind: 'wait' };
  if (end === 'done') return { kind: 'collect', training };
  if (paused) return NOTHING;
  const resume: Deed = { kind: 'resume', trainingId: id };
  if (member.state.kind === 'halted') return resume;
  switch (end) {
    case 'stopped':
      return { kind: 'fail', message: 'It was stopped by hand. Resume the experiment to go on with it.' };
    case 'failed':
      return { kind: 'fail', message: trainingEndWords(state) };
    case 'cut-off':
      return member.attempts < MOST_ATTEMPTS
        ? resume
        : {
            kind: 'fail',
            message: `It was cut off ${member.attempts} times. ${trainingEndWords(state)}`,
          };
  }
}
