import { z } from 'zod';
import {
  amountSchema,
  type Exhibit,
  exhibitSchema,
  type ReproductionOrder,
  type ReproductionPlan,
  reproductionOrderSchema,
} from '../../../../preload/contract';
import { NO_AMOUNT } from './plan-inputs';
import type { StepWork } from './work';

/** How far a step is, as this record knows it; what follows from other steps (waiting, blocked) is not noted. */
const noteStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned') }),
  z.object({ kind: z.literal('begun') }),
  /** Stopped by a pause of the reproduction; it is resumed with it. */
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
  /** Its start and automatic resumes since a person last started it. */
  attempts: z.number().int().nonnegative(),
  /** ISO dates. */
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Of a server: since when it is leased; null: it is not. */
  heldSince: z.string().nullable(),
  took: amountSchema,
});
/** What is known of a step beside its plan. */
export type StepNote = Readonly<z.output<typeof stepNoteSchema>>;

/** `reproduction.json` in the reproduction's folder. Times are ISO dates. */
export const reproductionRecordSchema = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  order: reproductionOrderSchema,
  /** As it was when this was started: files change. */
  exhibit: exhibitSchema,
  exhibitDigest: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  paused: z.boolean(),
  /** Being removed: continued at the next start where it was cut off. */
  removing: z.boolean(),
  /** From a bundle of another lab: read-only. */
  readOnly: z.boolean(),
  /** By step id. */
  notes: z.record(z.string(), stepNoteSchema),
});
export type ReproductionRecord = Readonly<z.output<typeof reproductionRecordSchema>>;

/** A record with the plan that it follows. */
export type Reproduction = {
  readonly record: ReproductionRecord;
  readonly plan: ReproductionPlan;
  /** By step id. */
  readonly work: ReadonlyMap<string, StepWork>;
  /** By cell or series: why it cannot be measured at this scale. */
  readonly unmeasured: ReadonlyMap<string, string>;
};

const UNTOUCHED: StepNote = {
  state: { kind: 'planned' },
  trainingId: null,
  studyId: null,
  runId: null,
  serverIds: [],
  shared: false,
  alone: false,
  attempts: 0,
  startedAt: null,
  endedAt: null,
  heldSince: null,
  took: NO_AMOUNT,
};

export function newRecord(
  {
    id,
    exhibit,
    order,
    createdAt,
  }: {
    readonly id: string;
    readonly exhibit: Exhibit;
    readonly order: ReproductionOrder;
    readonly createdAt: string;
  },
  plan: ReproductionPlan,
  work: ReadonlyMap<string, StepWork>,
): ReproductionRecord {
  const notes = plan.steps.map((step): [string, StepNote] => {
    const known = knownResults(work.get(step.id));
    const state: StepNote['state'] =
      step.reuse === null ? { kind: 'planned' } : { kind: 'done', reused: true };
    return [step.id, { ...UNTOUCHED, ...known, state }];
  });
  return {
    version: 1,
    id,
    order,
    exhibit,
    exhibitDigest: plan.exhibitDigest,
    createdAt,
    endedAt: null,
    paused: false,
    removing: false,
    readOnly: false,
    notes: Object.fromEntries(notes),
  };
}

/** Where the result of a step that need not be run is. */
function knownResults(work: StepWork | undefined): Partial<StepNote> {
  if (work?.kind === 'train' && work.trainingId !== null) return { trainingId: work.trainingId };
  if (work?.kind === 'search' && work.run !== null) return { ...work.run };
  return {};
}

export function noteOf({ notes }: Pick<ReproductionRecord, 'notes'>, stepId: string): StepNote {
  return notes[stepId] ?? UNTOUCHED;
}

/** As if it had never been started; its cost so far stays. */
export function notStarted(note: StepNote): StepNote {
  return { ...UNTOUCHED, took: note.took, alone: note.alone };
}

export function isSettled({ state }: Pick<StepNote, 'state'>): boolean {
  return state.kind === 'done' || state.kind === 'failed';
}
