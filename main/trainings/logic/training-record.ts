import { z } from 'zod';
import {
  recipeSchema,
  trainingAlarmSchema,
  trainingOrderSchema,
  trainingViewSchema,
} from '../../../preload/contract';

/** What was last seen of a training that has ended, so that lists need not read its files again. */
const seenSchema = z.object({
  step: z.number().int().nonnegative(),
  stage: z.string().nullable(),
  latest: trainingViewSchema.shape.latest,
  alarms: z.array(trainingAlarmSchema),
  /** Of its job when that was; of another end it is out of date. */
  endedAt: z.string().nullable(),
});
export type TrainingSeen = z.output<typeof seenSchema>;

/** All that this computer keeps of a training but its files; `training.json` in its folder. Times are ISO dates. */
export const trainingRecordSchema = z.object({
  version: z.literal(1),
  id: z.string().min(1),
  order: trainingOrderSchema,
  /** As it was when the training was made: its file may change. */
  recipe: recipeSchema.nullable(),
  /** null: not yet, or the launch was cut off. */
  jobId: z.string().nullable(),
  createdAt: z.string(),
  experimentId: z.string().nullable(),
  /** Left out: of none. */
  reproductionId: z.string().optional(),
  seen: seenSchema.nullable(),
});
export type TrainingRecord = Readonly<z.output<typeof trainingRecordSchema>>;
