import { noteOf, notStarted, type Plan, type StepNote } from './plan-record';

/** The record's part by which these failed steps are tried again. `trainingIds`: of all trainings that exist. */
export function withRetries(
  { plan, work, record }: Plan,
  isRetried: (stepId: string, note: StepNote) => boolean,
  trainingIds: ReadonlySet<string>,
): Pick<Plan['record'], 'paused' | 'endedAt' | 'notes'> {
  const retried = plan.steps.filter(({ id }) => isRetried(id, noteOf(record, id)));
  // Trainings that were removed, and whose checkpoints these steps need, are done again.
  const lost = retried
    .flatMap(({ needs }) => needs)
    .filter((id) => {
      const { state, trainingId } = noteOf(record, id);
      const isThere = trainingId === null || trainingIds.has(trainingId);
      return work.get(id)?.kind === 'train' && state.kind === 'done' && !isThere;
    });
  const notes = {
    ...record.notes,
    ...Object.fromEntries(retried.map(({ id }) => [id, retriedNote(noteOf(record, id))])),
    ...Object.fromEntries(lost.map((id) => [id, notStarted(noteOf(record, id))])),
  };
  return { paused: false, endedAt: null, notes };
}

/** Searches that failed in one study are resumed together. */
export function failedTogether({ state, studyId }: StepNote, step: StepNote): boolean {
  return state.kind === 'failed' && studyId !== null && studyId === step.studyId;
}

/** Continues with the training or study that the step has, however it ended. */
function retriedNote(note: StepNote): StepNote {
  const hasWork = note.trainingId !== null || note.studyId !== null;
  return hasWork ? { ...note, endedAt: null, state: { kind: 'halted' } } : notStarted(note);
}
