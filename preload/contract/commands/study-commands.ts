import { z } from 'zod';
import { analysisSchema } from '../analysis';
import { regradeSchema, verificationSchema } from '../checks';
import { diversityJudgeSchema, diversitySchema, similaritySchema } from '../diversity';
import { longTaskSchema } from '../events';
import { studyOutcomesSchema } from '../outcomes';
import { searchChangeSchema, searchOptionsSchema } from '../strategy';
import { quickstartPlanSchema, studyViewSchema } from '../study';
import { teamSchema } from '../team';
import { command, done, none } from './command';

const isUnique = (items: ReadonlyArray<string | number>): boolean => new Set(items).size === items.length;
const studyId = z.string().min(1);
const isoDay = z.iso.date();

export const quickstartOptionsSchema = z.strictObject({
  seed: z.number().int().min(0).max(2_147_483_647).default(1),
  /** Problems of the pocket test split, from the first. */
  problems: z.number().int().min(1).max(200).optional(),
  nodes: z.number().int().min(1).max(1_000).optional(),
  /** Trials asked together in one tree; 1 keeps a resumed run identical to the byte. */
  batch: z.number().int().min(1).max(16).optional(),
  latencyMs: z.number().min(0).max(60_000).optional(),
  /** Where its model servers run; this computer when left out. */
  machineId: z.string().min(1).optional(),
});
export type QuickstartOptions = z.input<typeof quickstartOptionsSchema>;

/** One configuration of a study that is composed by hand. */
export const configurationSpecSchema = z.strictObject({
  configuration: z.string().min(1).max(80),
  team: teamSchema,
  /** Where this row searches differently from the study (an ablation); the rest is the study's. */
  search: searchChangeSchema.optional(),
});

export const exportKindSchema = z.enum(['table', 'nodes', 'curves', 'pairs', 'breakdowns', 'marti']);

/** Studies: planned, run, watched, checked, written out as CSV. */
export const studyCommands = {
  'quickstart.plan': command(none, quickstartPlanSchema),
  'quickstart.start': command(quickstartOptionsSchema, z.object({ studyId })),
  'study.list': command(none, z.array(studyViewSchema)),
  'study.create': command(
    z.strictObject({
      name: z.string().min(1).max(120),
      benchmarkId: z.string().min(1),
      /** The first so many problems of the benchmark; all when left out. */
      problems: z.number().int().positive().optional(),
      /** Only problems of contests in these days, both inclusive. */
      from: isoDay.optional(),
      to: isoDay.optional(),
      /** Problems that are marked to be left out are left out unless this is true. */
      includeExcluded: z.boolean().default(false),
      configurations: z
        .array(configurationSpecSchema)
        .min(1)
        .max(50)
        .refine(
          (all) => isUnique(all.map(({ configuration }) => configuration)),
          'two configurations share a name',
        ),
      search: searchOptionsSchema,
      seeds: z
        .array(z.number().int().nonnegative())
        .min(1)
        .max(100)
        .refine(isUnique, 'a seed is given twice'),
    }),
    z.object({ studyId }),
  ),
  'study.start': command(z.strictObject({ studyId }), done),
  'study.pause': command(z.strictObject({ studyId }), done),
  'study.cancel': command(z.strictObject({ studyId }), done),
  /** Moves the study and its journals to the data folder's trash; `study.restore` brings it back. */
  'study.remove': command(z.strictObject({ studyId }), done),
  'study.restore': command(z.strictObject({ studyId }), done),
  /** What a person writes to a study, to find it again. */
  'study.annotate': command(
    z.strictObject({
      studyId,
      note: z.string().max(4_000),
      tags: z
        .array(z.string().regex(/^[^\s,]{1,30}$/))
        .max(20)
        .refine(isUnique, 'a tag is given twice'),
    }),
    studyViewSchema,
  ),
  /** What came of every problem of every run; from kept summaries, so that no journal need be opened for it. */
  'study.outcomes': command(z.strictObject({ studyId }), studyOutcomesSchema),
  'study.analysis': command(z.strictObject({ studyId }), analysisSchema),
  /** Reads every candidate's program, so it is asked for apart; `progress` events tell how far it is. */
  'study.diversity': command(
    z.strictObject({
      studyId,
      judge: diversityJudgeSchema.default({ kind: 'structure' }),
      similarity: similaritySchema.default({ kind: 'tokens' }),
    }),
    diversitySchema,
  ),
  /** Replays every tree of the study from its seed and compares. Changes nothing. */
  'study.verify': command(z.strictObject({ studyId }), verificationSchema),
  /** Runs the private tests of the study's candidates again and lists what changed. Changes nothing. */
  'study.regrade': command(
    z.strictObject({
      studyId,
      /** At most so many programs, spread evenly; all when left out. */
      programs: z.number().int().positive().optional(),
      /** Regrade by the other reading, to see what depends on it. */
      grading: z.enum(['as-program', 'as-published']).optional(),
    }),
    regradeSchema,
  ),
  /** Ends the running import, verification, regrade or diversity; what it had changed so far is undone. */
  'task.cancel': command(z.strictObject({ task: longTaskSchema }), done),
  'export.write': command(
    z.strictObject({ studyId, what: exportKindSchema, path: z.string().min(1) }),
    z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int() }),
    'terminal',
  ),
  'export.choose': command(
    z.strictObject({ studyId, what: exportKindSchema }),
    z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int() }),
    'window',
  ),
};
