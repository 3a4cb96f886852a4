import { type ExperimentView, jobHasEnded, type TrainingView } from '../../../../preload/contract';
import { isSettled, noteOf, type StepNote } from '../plan-record';
import { planState } from '../step-status';
import type { Experiment } from './experiment-record';

/**
 * The experiment as the window shows it. `elapsed`: seconds since a training was last started; `slots`: maximum number
 * of trainings at once.
 */
export function viewOfExperiment(
  experiment: Experiment,
  trainings: ReadonlyMap<string, TrainingView>,
  elapsed: (training: TrainingView) => number,
  slots: number,
): ExperimentView {
  const { id, order, createdAt, endedAt, fromBundle } = experiment.record;
  const state = planState(experiment);
  const members = experiment.plan.steps.map(({ id: stepId, label, seed }): Member => {
    const note = noteOf(experiment.record, stepId);
    return { label, seed, note, training: trainings.get(note.trainingId ?? '') ?? null };
  });
  return {
    id,
    ...(fromBundle === undefined ? {} : { fromBundle }),
    order,
    state,
    createdAt,
    endedAt,
    done: members.filter(({ note }) => note.state.kind === 'done').length,
    total: members.length,
    secondsLeft: state.kind === 'running' ? secondsLeft(members, elapsed, slots) : null,
    trainings: members.map(({ label, seed, note: { trainingId } }) => ({ label, seed, trainingId })),
  };
}

type Member = {
  readonly label: string;
  readonly seed: number;
  readonly note: StepNote;
  readonly training: TrainingView | null;
};

/**
 * Running trainings count with their own estimate, the others with the mean of the finished ones of their row, or of
 * all. null while nothing is known.
 */
function secondsLeft(
  members: readonly Member[],
  elapsed: (training: TrainingView) => number,
  slots: number,
): number | null {
  const measured = members.flatMap((member) => {
    const seconds = wholeSeconds(member, elapsed);
    return seconds === null ? [] : [{ label: member.label, seconds }];
  });
  if (measured.length === 0) return null;
  const expected = (label: string): number =>
    mean(measured.filter((other) => other.label === label)) ?? mean(measured) ?? 0;
  const left = members
    .filter(({ note }) => !isSettled(note))
    .map(({ label, training }) =>
      training === null
        ? expected(label)
        : (training.secondsLeft ?? Math.max(0, expected(label) - elapsed(training))),
    );
  // They run in parallel; the total is at least the longest of them.
  const atOnce = Math.max(1, Math.min(slots, left.length));
  return Math.max(0, ...left, left.reduce((sum, seconds) => sum + seconds, 0) / atOnce);
}

/** Seconds of a finished training, or of one that reports its remaining time; null: not known. */
function wholeSeconds(
  { note, training }: Member,
  elapsed: (training: TrainingView) => number,
): number | null {
  if (note.state.kind === 'done') return note.took.seconds;
  if (training === null || training.secondsLeft === null || jobHasEnded(training.state)) return null;
  return elapsed(training) + training.secondsLeft;
}

function mean(measured: ReadonlyArray<{ readonly seconds: number }>): number | null {
  return measured.length === 0
    ? null
    : measured.reduce((sum, { seconds }) => sum + seconds, 0) / measured.length;
}
