import { z } from 'zod';
import { amountSchema, type PlanStep, type TrainingRequest } from '../../../preload/contract';
import { NO_AMOUNT } from './costs';

/** The stored state of a step. States that follow from other steps (waiting, blocked) are not stored. */
const noteStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned') }),
  z.object({ kind: z.literal('begun') }),
  /** Stopped because the plan is paused; it resumes with the plan. */
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
  /** Another plan started this training. */
  shared: z.boolean(),
  /** A search with a study of its own, so that its failure stops no other search. */
  alone: z.boolean(),
  /** ISO dates. */
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Since when the step's server is leased; null: it is not leased. */
  heldSince: z.string().nullable(),
  /** The cost of its work, also where another plan had it done; unknown where an earlier plan noted no cost. */
  took: amountSchema,
});
/** The state of a step; everything else about it is in the plan. */
export type StepNote = Readonly<z.output<typeof stepNoteSchema>>;

/** The common fields of all kinds of plans. Times are ISO dates. */
export const planRecordSchema = z.object({
  version: z.number(),
  id: z.string().min(1),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  paused: z.boolean(),
  /** Its removal has begun; the next start continues it. */
  removing: z.boolean(),
  /** By step id. */
  notes: z.record(z.string(), stepNoteSchema),
});
export type PlanRecord = Readonly<z.output<typeof planRecordSchema>>;

export type PlannedStep = Pick<PlanStep, 'id' | 'kind' | 'title' | 'needs'>;

/** The work of a step. */
export type PlannedWork =
  | { readonly kind: 'train'; readonly order: TrainingRequest }
  | { readonly kind: Exclude<PlanStep['kind'], 'train'> };

/** A record with the steps of its plan. */
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

export const NOT_STARTED: StepNote = {
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
  return notes[stepId] ?? NOT_STARTED;
}

/** Was its work done for another plan or study? */
export function isTakenOver({ shared, state }: StepNote): boolean {
  return shared || (state.kind === 'done' && state.reused);
}

/** Resets a step to its state before the start, but keeps what its own work has cost so far. */
export function notStarted(note: StepNote): StepNote {
  return { ...NOT_STARTED, took: isTakenOver(note) ? NO_AMOUNT : note.took, alone: note.alone };
}

export function isSettled({ state }: Pick<StepNote, 'state'>): boolean {
  return state.kind === 'done' || state.kind === 'failed';
}

/** The changes to the record that make these failed steps run again. `trainingIds`: ids of all existing trainings. */
export function withRetries(
  { plan, work, record }: Plan,
  isRetried: (stepId: string, note: StepNote) => boolean,
  trainingIds: ReadonlySet<string>,
): Pick<Plan['record'], 'paused' | 'endedAt' | 'notes'> {
  const retried = plan.steps.filter(({ id }) => isRetried(id, noteOf(record, id)));
  // Removed trainings run again if these steps need their checkpoints.
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
export function failedInOneStudy({ state, studyId }: StepNote, step: StepNote): boolean {
  return state.kind === 'failed' && studyId !== null && studyId === step.studyId;
}

/** Continues with the step's own training or study, whatever its end. */
function retriedNote(note: StepNote): StepNote {
  const hasWork = note.trainingId !== null || note.studyId !== null;
  return hasWork ? { ...note, endedAt: null, state: { kind: 'halted' } } : notStarted(note);
}
