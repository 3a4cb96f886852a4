import { z } from 'zod';
import {
  exhibitSchema,
  hueSchema,
  progressSchema,
  regradeSchema,
  reportSourceSchema,
  type Study,
  savedWarningSchema,
  studySchema,
} from '../../preload/contract/index';
import { benchmarkOutlineSchema } from './benchmark-outlines';

/** The index of a bundle: every other file with its digest. */
export const BUNDLE_INDEX = 'bundle.json';

/** No name may point outside the folder into which the bundle is unpacked. */
const plainName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/);
const plainPath = z
  .string()
  .max(1_000)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._@()-]*(\/[A-Za-z0-9][A-Za-z0-9._@()-]*)*$/);

const bundledStudySchema = z.object({
  study: studySchema.refine(
    ({ id, runs }) => [id, ...runs.map((run) => run.id)].every((name) => plainName.safeParse(name).success),
    'an id is not a plain name',
  ),
  elapsedMs: z.number().nonnegative(),
  progress: progressSchema.nullable(),
  finishedAt: z.string().nullable(),
  warnings: z.array(savedWarningSchema).optional(),
  hues: z.array(hueSchema).optional(),
  note: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** The result of the last regrade; null: none. */
  regrade: regradeSchema.nullable(),
});

export const bundleSchema = z.object({
  format: z.literal('mars2-bundle'),
  version: z.literal(1),
  /** Version of the workbench that wrote it; it determines every formula behind the tables. */
  workbench: z.string(),
  name: z.string().min(1).max(300),
  source: reportSourceSchema,
  studies: z.array(bundledStudySchema).max(10_000),
  reproductions: z.array(plainName).max(100),
  /** Left out by earlier versions. */
  experiments: z.array(plainName).max(100).default([]),
  /** The reproductions' exhibits, as they were when those started. */
  exhibits: z.array(exhibitSchema).max(100),
  /** Facts about problems for the tables; without statements and tests. */
  benchmarks: z.array(benchmarkOutlineSchema).max(1_000),
  files: z
    .array(z.object({ name: plainPath, bytes: z.number().int().nonnegative(), sha256: z.string() }))
    .max(100_000),
});
export type Bundle = z.output<typeof bundleSchema>;

export const journalPath = (studyId: string, runId: string): string => `studies/${studyId}/${runId}.jsonl`;

export const regradePath = (studyId: string, regradeId: string): string =>
  `studies/${studyId}/regrades/${regradeId}.jsonl`;

/** The journals of a study: of its runs, and of its re-grades. */
export function journalsOf({ id, runs, regrades = [] }: Study): readonly string[] {
  return [...runs.map((run) => journalPath(id, run.id)), ...regrades.map((one) => regradePath(id, one.id))];
}
