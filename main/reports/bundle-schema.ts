import { z } from 'zod';
import {
  exhibitSchema,
  hueSchema,
  progressSchema,
  regradeSchema,
  reportSourceSchema,
  savedWarningSchema,
  studySchema,
} from '../../preload/contract/index';
import { benchmarkOutlineSchema } from './benchmark-outlines';

/** The file that says what a bundle holds; every other file of it is named here with its digest. */
export const BUNDLE_INDEX = 'bundle.json';

/** Folders and files whose names could lead out of the folder that they are unpacked in are refused. */
const plainName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/);
const plainPath = z
  .string()
  .max(1_000)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@()-]*(\/[A-Za-z0-9][A-Za-z0-9._@()-]*)*$/);

const bundledStudySchema = z.object({
  study: studySchema.refine(
    ({ id, runs }) => [id, ...runs.map((run) => run.id)].every((one) => plainName.safeParse(one).success),
    'an id is no plain name',
  ),
  elapsedMs: z.number().nonnegative(),
  progress: progressSchema.nullable(),
  finishedAt: z.string().nullable(),
  warnings: z.array(savedWarningSchema).optional(),
  hues: z.array(hueSchema).optional(),
  note: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** What a regrade found; null: none was kept. */
  regrade: regradeSchema.nullable(),
});

export const bundleSchema = z.object({
  format: z.literal('mars2-bundle'),
  version: z.literal(1),
  /** Version of the workbench that wrote it, and with it of every formula behind its tables. */
  workbench: z.string(),
  name: z.string().min(1).max(300),
  source: reportSourceSchema,
  studies: z.array(bundledStudySchema).max(10_000),
  reproductions: z.array(plainName).max(100),
  /** Of the reproductions, as they were ordered. */
  exhibits: z.array(exhibitSchema).max(100),
  /** What tables say of problems; neither their texts nor their tests. */
  benchmarks: z.array(benchmarkOutlineSchema).max(1_000),
  files: z
    .array(z.object({ name: plainPath, bytes: z.number().int().nonnegative(), sha256: z.string() }))
    .max(100_000),
});
export type Bundle = z.output<typeof bundleSchema>;

export const journalPath = (studyId: string, runId: string): string => `studies/${studyId}/${runId}.jsonl`;
