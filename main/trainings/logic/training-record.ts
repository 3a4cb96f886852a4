import { z } from 'zod';
import {
  jobStateSchema,
  problemsKeptSchema,
  recipeSchema,
  trainingAlarmSchema,
  trainingRequestSchema,
  trainingViewSchema,
} from '../../../preload/contract';

/** Summary of an ended training, so that lists need not read its files again. */
const seenSchema = z.object({
  step: z.number().int().nonnegative(),
  stage: z.string().nullable(),
  latest: trainingViewSchema.shape.latest,
  alarms: z.array(trainingAlarmSchema),
  /** When its job had ended at that time; after another end the summary is out of date. */
  endedAt: z.string().nullable(),
  /** What our own trainer said of its failure; absent: nothing, or it has not failed. */
  failure: z.string().optional(),
  /** Absent: no problems were chosen. */
  problemsKept: problemsKeptSchema.optional(),
});
export type SavedWatch = z.output<typeof seenSchema>;

const startedFromSchema = z.object({
  /** Of the job, from 1. */
  attempt: z.number().int().positive(),
  /** Greatest step of a checkpoint by agent. */
  steps: z.record(z.string(), z.number().int().nonnegative()),
  /** Tells one saved state of our own trainer from another; null: there was none. */
  state: z.string().nullable(),
  /** Starts in a row that found nothing newer; absent: none. */
  inVain: z.number().int().nonnegative().optional(),
});
export type StartedFrom = z.output<typeof startedFromSchema>;

export const TRAINING_RECORD_VERSION = 1;

/**
 * Everything this computer stores about a training besides its files; `training.json` in its folder. Times are ISO
 * dates.
 */
export const trainingRecordSchema = z.object({
  version: z.literal(TRAINING_RECORD_VERSION),
  id: z.string().min(1),
  /** The request that started it. */
  order: trainingRequestSchema,
  /** As of the training's start: its file may change later. */
  recipe: recipeSchema.nullable(),
  /** null: not launched yet, or the launch was interrupted. */
  jobId: z.string().nullable(),
  /** Its folder on another machine, absolute; left out: its files are in its folder on this computer. */
  remoteFolder: z.string().optional(),
  createdAt: z.string(),
  experimentId: z.string().nullable(),
  /** Absent: none. */
  reproductionId: z.string().optional(),
  seen: seenSchema.nullable(),
  /** For a run that is only watched: its state when its machine last answered. */
  watched: z.object({ state: jobStateSchema }).optional(),
  /** What a start of its job found to continue from; absent: never looked. */
  startedFrom: startedFromSchema.optional(),
  /** In the trash since then: not listed until it is restored. Absent: listed. */
  removedAt: z.string().optional(),
});
export type TrainingRecord = Readonly<z.output<typeof trainingRecordSchema>>;
