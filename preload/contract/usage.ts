import { z } from 'zod';

/** A calendar month of UTC, e.g. "2026-11". */
export const usageMonthSchema = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);

/** What the rows of a table of usage stand for. */
export const usageBySchema = z.enum(['project', 'job', 'month']);
export type UsageBy = z.infer<typeof usageBySchema>;

/** `month` null: all months. */
export const usageRequestSchema = z.strictObject({
  month: usageMonthSchema.nullable().default(null),
  by: usageBySchema.default('project'),
});
export type UsageRequest = z.output<typeof usageRequestSchema>;

/** A project: the study, training, experiment or reproduction that ordered a job. */
export const usageProjectSchema = z.object({
  kind: z.enum(['study', 'training', 'experiment', 'reproduction']),
  id: z.string().min(1).max(400),
  name: z.string().max(400),
});
export type UsageProject = z.infer<typeof usageProjectSchema>;

const amount = z.number().nonnegative();
const usageAmountSchema = z.object({
  /** GPUs that were held times the hours that they were held. */
  gpuHours: amount,
  /** Hours that jobs ran, with GPUs and without. */
  hours: amount,
  /** Jobs behind it. */
  jobs: z.number().int().nonnegative(),
  /** As model servers reported them, and journals have them. */
  promptTokens: amount,
  completionTokens: amount,
});
export type UsageAmount = z.infer<typeof usageAmountSchema>;

export const usageRowSchema = usageAmountSchema.extend({
  /** Unique in its table. */
  id: z.string(),
  label: z.string(),
  /** What it is, e.g. "study", "training on gpu1"; empty: the label says it. */
  about: z.string(),
  /** The screen of what it is; null: it has none, or is no longer listed. */
  target: z
    .object({ kind: z.enum(['job', ...usageProjectSchema.shape.kind.options]), id: z.string() })
    .nullable(),
  /** Some of it still runs, and counts up to now. */
  isOpen: z.boolean(),
});
export type UsageRow = z.infer<typeof usageRowSchema>;

/** Most rows of a table; the total counts all. */
export const MAX_USAGE_ROWS = 5_000;

export const usageSchema = z.object({
  /** Those in which anything was used, newest first. */
  months: z.array(usageMonthSchema),
  /** The most GPU-hours first; months: the newest first. */
  rows: z.array(usageRowSchema).max(MAX_USAGE_ROWS),
  /** Rows that the limit left out. */
  leftOut: z.number().int().nonnegative(),
  total: usageAmountSchema,
  /** Its gaps, a sentence each. */
  notes: z.array(z.string()),
});
export type Usage = z.infer<typeof usageSchema>;
