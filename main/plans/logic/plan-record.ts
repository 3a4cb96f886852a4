import { z } from 'zod';
import { amountSchema, type PlanStep, type TrainingRequest } from '../../../preload/contract';
import { NO_AMOUNT } from './costs';

/** How far a step is, as the record says it; what follows from other steps (waiting, blocked) is not noted. */
const noteStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned') }),
  z.object({ kind: z.literal('begun') }),
  /** Stopped by a pause of the plan; it is resumed with it. */
  z.object({ kind: z.literal('halted') }),
  z.object({ kind: z.literal('done'), reused: z.boolean() }),
  z.object({ kind: z.literal('failed'), message: z.string(), hint: z.string().nullable() }),
]);

const stepNoteSchema = z.object({
  state: noteStateSchema,
  trainingId: z.string().nullable(),
  studyId: z.string().nullable(),
  runId: z.string().nullable(),
  serverIds: z.array(z.string()),
  /** Another plan started this training, which counts its cost. */
  shared: z.boolean(),
  /** Of a search: it gets a study of its own, so that its failure stops no other. */
  alone: z.boolean(),
  /** ISO dates. */
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Of a server: since when it is leased; null: it is not. */
  heldSince: z.string().nullable(),
  took: amountSchema,
});
/** What is known of a step beside its plan. */
export type StepNote = Readonly<z.output<typeof stepNoteSchema>>;

/** What the records of all kinds of plans have. Times are ISO dates. */
export const planRecordSchema = z.object({
  version: z.number(),
  id: z.string().min(1),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  paused: z.boolean(),
  /** Being removed: continued at the next start where it was cut off. */
  removing: z.boolean(),
  /** By step id. */
  notes: z.record(z.string(), stepNoteSchema),
});
export type PlanRecord = Readonly<z.output<typeof planRecordSchema>>;

export type PlannedStep = Pick<PlanStep, 'id' | 'kind' | 'title' | 'needs'>;

/** What a step does. */
export type PlannedWork =
  | { readonly kind: 'train'; readonly order: TrainingRequest }
  | { readonly kind: Exclude<PlanStep['kind'], 'train'> };

/** A record with the steps that it follows. */
export type Plan<
  Record extends PlanRecord = PlanRecord,
  Step extends PlannedStep = PlannedStep,
  Work extends PlannedWork = PlannedWork,
> = {
  readonly record: Record;
  /** Each step comes after all that it needs. */
  readonly plan: { readonly steps: readonly Step[] };
  /** By step id. */
  readonly work: ReadonlyMap<string, Work>;
};

export const UNTOUCHED: StepNote = {
  state: { kind: 'planned' },
  trainingId: null,
  studyId: null,
  runId: null,
  serverIds: [],
  shared: false,
  alone: false,
  startedAt: null,
  endedAt: null,
  heldSince: null,
  took: NO_AMOUNT,
};

export function noteOf({ notes }: Pick<PlanRecord, 'notes'>, stepId: string): StepNote {
  return notes[stepId] ?? UNTOUCHED;
}

/** As if it had never been started; its cost so far stays. */
export function notStarted(note: StepNote): StepNote {
  return { ...UNTOUCHED, took: note.took, alone: note.alone };
}

export function isSettled({ state }: Pick<StepNote, 'state'>): boolean {
  return state.kind === 'done' || state.kind === 'failed';
}

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
