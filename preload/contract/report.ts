import { z } from 'zod';
import { exhibitFillSchema } from './exhibit-fill';
import { comparedRunsSchema } from './run-comparison';
import { usageMonthSchema } from './usage';

/** The source of a report. */
export const reportSourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('study'), studyId: z.string().min(1) }),
  z.strictObject({ kind: z.literal('runs'), runs: comparedRunsSchema }),
  z.strictObject({ kind: z.literal('reproduction'), reproductionId: z.string().min(1) }),
  z.strictObject({ kind: z.literal('filled-exhibit'), fill: exhibitFillSchema }),
  z.strictObject({ kind: z.literal('experiment'), experimentId: z.string().min(1) }),
  /** GPU-hours and tokens; `month` null: all months. */
  z.strictObject({ kind: z.literal('usage'), month: usageMonthSchema.nullable() }),
]);
export type ReportSource = z.output<typeof reportSourceSchema>;

/**
 * csv: a row per configuration; csv-long: a row a value. LaTeX with booktabs. Of a figure svg, pdf and png, with fonts
 * embedded. In a folder with its manifest: main, the first table (CSV, LaTeX, Markdown) and the first figure that has a
 * value of ours (PDF); all, every table and figure in every format.
 */
export const reportFormatSchema = z.enum([
  'csv',
  'csv-long',
  'latex',
  'markdown',
  'json',
  'svg',
  'pdf',
  'png',
  'main',
  'all',
]);
export type ReportFormat = z.infer<typeof reportFormatSchema>;

export const reportRequestSchema = z.strictObject({
  source: reportSourceSchema,
  format: reportFormatSchema,
  /** The figure or table of a source with this id, if there are several; left out: the first. */
  part: z.string().min(1).max(80).optional(),
  /** For figures: one column of a paper (about 84 mm) or both (about 178 mm). */
  width: z.enum(['one-column', 'two-columns']).default('one-column'),
  /** For the format main of an exhibit: every figure of it; left out: the first. */
  figures: z.literal('all').optional(),
});
export type ReportRequest = z.output<typeof reportRequestSchema>;

/** One file of several: its name in their folder follows from its part, which therefore names no other place. */
export const reportFileSchema = reportRequestSchema.extend({
  format: reportFormatSchema.exclude(['all', 'main']),
  part: z
    .string()
    .max(80)
    .regex(/^[a-z0-9][a-z0-9._-]*$/i),
});
export type ReportFile = z.output<typeof reportFileSchema>;

/** Files that were written, the manifest among them. */
export const writtenReportSchema = z.object({
  files: z.array(z.object({ path: z.string(), bytes: z.number().int().nonnegative() })),
});
export type WrittenReport = z.infer<typeof writtenReportSchema>;

/** The parts that a source has: what a menu offers. */
export const reportPartSchema = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['table', 'figure']),
});
export type ReportPart = z.infer<typeof reportPartSchema>;

/** What a bundle would hold and what not, in words, for people to read before it is written. */
export const bundleContentsSchema = z.object({
  /** Names of its studies. */
  studies: z.array(z.string()),
  /** What it holds, a line each. */
  lines: z.array(z.string()),
  /** What it leaves out, a line each. */
  leftOut: z.array(z.string()),
});
export type BundleContents = z.infer<typeof bundleContentsSchema>;

/** What was opened out of a bundle of another lab. */
export const openedBundleSchema = z.object({
  name: z.string(),
  studyIds: z.array(z.string()),
  reproductionIds: z.array(z.string()),
  /** Left out: none. */
  experimentIds: z.array(z.string()).optional(),
  /** Tables were worked out again from its journals: are they the bundle's own to the byte? Names of those that differ. */
  differing: z.array(z.string()),
  tables: z.number().int().nonnegative(),
});
export type OpenedBundle = z.infer<typeof openedBundleSchema>;

/** An export compared with its own files and with the journals as they are now. */
export const checkedReportSchema = z.object({
  /** Name of its manifest. */
  manifest: z.string(),
  files: z.array(z.object({ name: z.string(), state: z.enum(['same', 'altered', 'missing']) })),
  /** longer: it begins as it was then. */
  runs: z.array(z.object({ runId: z.string(), state: z.enum(['same', 'longer', 'altered', 'missing']) })),
  /** Files of models on this computer whose digest was noted when their server started, by path. */
  models: z.array(z.object({ path: z.string(), state: z.enum(['same', 'altered', 'missing']) })),
  /** Why models could not be compared, a sentence each. */
  unknown: z.array(z.string()),
});
export type CheckedReport = z.infer<typeof checkedReportSchema>;
