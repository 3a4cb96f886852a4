import { z } from 'zod';
import {
  type Amount,
  diversityCellSchema,
  type Exhibit,
  exhibitSchema,
  type PlanStep,
  type ReproductionPlan,
  type ReproductionRequest,
  reproductionRequestSchema,
  trainingCurveSchema,
} from '../../../../preload/contract';
import { NOT_STARTED, type Plan, planRecordSchema, type StepNote } from '../plan-record';
import type { StepWork } from './work';

/** `reproduction.json` in the reproduction's folder. */
export const reproductionRecordSchema = planRecordSchema.extend({
  version: z.literal(1),
  order: reproductionRequestSchema,
  /** As it was when this was started, because files change; with the paper's values that the lab has entered since. */
  exhibit: exhibitSchema,
  exhibitDigest: z.string(),
  /** From a bundle of another lab: read-only. */
  readOnly: z.boolean(),
});
export type ReproductionRecord = Readonly<z.output<typeof reproductionRecordSchema>>;

export type Reproduction = Plan<ReproductionRecord, PlanStep, StepWork> & {
  readonly plan: ReproductionPlan;
  /** By cell or series: the reason why it cannot be measured at this scale. */
  readonly unmeasured: ReadonlyMap<string, string>;
};

/** Measurements of a step besides the journals of its runs, so that its training may be removed. */
export const outcomeSchema = z.object({
  /** For a training: its agents' evaluations on held-out problems. */
  curves: z.array(trainingCurveSchema).default([]),
  /** For a configuration: the diversity of its programs. */
  diversity: z.array(diversityCellSchema).default([]),
});
export type Outcome = z.output<typeof outcomeSchema>;

export function newRecord(
  {
    id,
    exhibit,
    request,
    createdAt,
  }: {
    readonly id: string;
    readonly exhibit: Exhibit;
    readonly request: ReproductionRequest;
    readonly createdAt: string;
  },
  plan: ReproductionPlan,
  work: ReadonlyMap<string, StepWork>,
  /** By step: what work took that is used again. */
  took: ReadonlyMap<string, Amount> = new Map(),
): ReproductionRecord {
  const notes = plan.steps.map((step): [string, StepNote] => {
    const state: StepNote['state'] =
      step.reuse === null ? { kind: 'planned' } : { kind: 'done', reused: true };
    const note = { ...NOT_STARTED, ...existingResults(work.get(step.id)), state };
    return [step.id, { ...note, took: took.get(step.id) ?? note.took }];
  });
  return {
    version: 1,
    id,
    order: request,
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

/** The existing result of a step that need not run. */
function existingResults(work: StepWork | undefined): Partial<StepNote> {
  if (work?.kind === 'train' && work.trainingId !== null) return { trainingId: work.trainingId };
  if (work?.kind === 'search' && work.run !== null) return { ...work.run };
  return {};
}
