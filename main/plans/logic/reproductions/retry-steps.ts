import { noteOf, notStarted, type Reproduction, type ReproductionRecord, type StepNote } from './record';

/** The record in which these failed steps are tried again. `known`: ids of all trainings that exist. */
export function withRetries(
  reproduction: Reproduction,
  isRetried: (stepId: string, note: StepNote) => boolean,
  known: ReadonlySet<string>,
): ReproductionRecord {
  const { record } = reproduction;
  const entries = Object.entries(record.notes);
  const retried = new Set(entries.flatMap(([stepId, note]) => (isRetried(stepId, note) ? [stepId] : [])));
  const lost = lostTrainings(reproduction, retried, known);
  const notes = entries.map(([stepId, note]): [string, StepNote] => [
    stepId,
    lost.has(stepId) ? notStarted(note) : retried.has(stepId) ? retriedNote(note) : note,
  ]);
  return { ...record, paused: false, endedAt: null, notes: Object.fromEntries(notes) };
}

/** Searches that failed in one study are resumed together. */
export function failedTogether({ state, studyId }: StepNote, step: StepNote): boolean {
  return state.kind === 'failed' && studyId !== null && studyId === step.studyId;
}

/** Training steps whose trainings were removed, and whose checkpoints these steps need: they are trained again. */
function lostTrainings(
  { plan, work, record }: Reproduction,
  retried: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ReadonlySet<string> {
  const needed = plan.steps.filter(({ id }) => retried.has(id)).flatMap(({ needs }) => needs);
  return new Set(
    needed.filter((id) => {
      if (work.get(id)?.kind !== 'train') return false;
      const { state, trainingId } = noteOf(record, id);
      return state.kind === 'done' && trainingId !== null && !known.has(trainingId);
    }),
  );
}

/** Continues with the training or study that the step has, however it ended. */
function retriedNote(note: StepNote): StepNote {
  const hasWork = note.trainingId !== null || note.studyId !== null;
  return hasWork
    ? { ...note, attempts: 0, endedAt: null, state: { kind: 'halted' } }
    : { ...notStarted(note), alone: note.alone };
}
