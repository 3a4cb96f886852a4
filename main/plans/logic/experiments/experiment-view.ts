import { type ExperimentView, jobHasEnded, type TrainingView } from '../../../../preload/contract';
import { type ExperimentRecord, isDone, isSettled, type Member } from './experiment-record';

/**
 * The experiment as people see it. `elapsed`: seconds since a training was last started; `slots`: trainings that may go
 * on at once.
 */
export function viewOfExperiment(
  record: ExperimentRecord,
  trainings: ReadonlyMap<string, TrainingView>,
  elapsed: (training: TrainingView) => number,
  slots: number,
): ExperimentView {
  const { id, order, createdAt, endedAt, members } = record;
  const state = stateOf(record);
  return {
    id,
    order,
    state,
    createdAt,
    endedAt,
    done: members.filter(isDone).length,
    total: members.length,
    secondsLeft: state.kind === 'running' ? secondsLeft(record, trainings, elapsed, slots) : null,
    trainings: members.map(({ label, seed, trainingId }) => ({ label, seed, trainingId })),
  };
}

function stateOf({ members, paused }: ExperimentRecord): ExperimentView['state'] {
  if (members.every(isSettled)) {
    const first = members.find(({ state }) => state.kind === 'failed');
    if (first?.state.kind !== 'failed') return { kind: 'done' };
    return { kind: 'failed', message: `${first.label}, seed ${first.seed}: ${first.state.message}` };
  }
  return paused ? { kind: 'paused' } : { kind: 'running' };
}

/**
 * Running trainings count with their own estimate, the others with the mean of the finished ones of their row, or of all.
 * null while nothing is known.
 */
function secondsLeft(
  { members }: ExperimentRecord,
  trainings: ReadonlyMap<string, TrainingView>,
  elapsed: (training: TrainingView) => number,
  slots: number,
): number | null {
  const trainingOf = ({ trainingId }: Member) =>
    trainingId === null ? null : (trainings.get(trainingId) ?? null);
  const known = members.flatMap((member) => {
    const seconds = wholeSeconds(member, trainingOf(member), elapsed);
    return seconds === null ? [] : [{ label: member.label, seconds }];
  });
  if (known.length === 0) return null;
  const expected = ({ label }: Member): number =>
    mean(known.filter((one) => one.label === label)) ?? mean(known) ?? 0;
  const left = members
    .filter((member) => !isSettled(member))
    .map((member) => {
      const training = trainingOf(member);
      if (training === null) return expected(member);
      return training.secondsLeft ?? Math.max(0, expected(member) - elapsed(training));
    });
  // Side by side, and never less than the longest of them.
  const atOnce = Math.max(1, Math.min(slots, left.length));
  return Math.max(0, ...left, left.reduce((sum, seconds) => sum + seconds, 0) / atOnce);
}

/** Of one that is done, or of one that says how much is left; null: not known. */
function wholeSeconds(
  { state }: Member,
  training: TrainingView | null,
  elapsed: (training: TrainingView) => number,
): number | null {
  if (state.kind === 'done') return state.seconds;
  if (training === null || training.secondsLeft === null || jobHasEnded(training.state)) return null;
  return elapsed(training) + training.secondsLeft;
}

function mean(known: ReadonlyArray<{ readonly seconds: number }>): number | null {
  return known.length === 0 ? null : known.reduce((sum, { seconds }) => sum + seconds, 0) / known.length;
}
