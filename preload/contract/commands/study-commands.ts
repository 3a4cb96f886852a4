import { z } from 'zod';
import { analysisSchema } from '../analysis';
import { regradeSchema, verificationSchema } from '../checks';
import { diversityJudgeSchema, diversitySchema, similaritySchema } from '../diversity';
import { longTaskSchema } from '../events';
import { studyOutcomesSchema } from '../outcomes';
import { originSchema } from '../provenance';
import { regradeFactsSchema } from '../regrade';
import { searchChangeSchema, searchOptionsSchema, treeLimitsSchema } from '../strategy';
import { quickstartPlanSchema, studyExtensionSchema, studyViewSchema } from '../study';
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
  /** Concurrent trials per tree; 1 keeps a resumed run identical to the byte. */
  batch: z.number().int().min(1).max(16).optional(),
  latencyMs: z.number().min(0).max(60_000).optional(),
  /** Machine of its model servers; left out: this computer. */
  machineId: z.string().min(1).optional(),
});
export type QuickstartOptions = z.input<typeof quickstartOptionsSchema>;

/** One configuration of a study. */
export const configurationSpecSchema = z.strictObject({
  configuration: z.string().min(1).max(80),
  team: teamSchema,
  /** Search options that differ from the study's (an ablation). */
  search: searchChangeSchema.optional(),
});

/** For a new study: it may be measured over seeds of its own. */
const newConfigurationSchema = configurationSpecSchema.extend({
  /** In the place of the study's: weights of several trainings are rows of one name, each with the seed of its training. */
  seeds: z.array(z.number().int().nonnegative()).min(1).max(100).optional(),
});

/** A name may come again only with other seeds of its own. */
function areDistinct(all: readonly z.output<typeof newConfigurationSchema>[]): boolean {
  return all.every(({ configuration, seeds }, at) => {
    const others = all.filter((other, place) => place !== at && other.configuration === configuration);
    const hasOther = (own: readonly number[] | undefined): boolean =>
      own !== undefined && seeds?.every((seed) => !own.includes(seed)) === true;
    return isUnique(seeds ?? []) && others.every((other) => hasOther(other.seeds));
  });
}

export const exportKindSchema = z.enum([
  'table',
  'nodes',
  'curves',
  'pairs',
  'breakdowns',
  'breakdown-pairs',
  'marti',
]);

/** A part of the window, in CSS pixels. */
const windowArea = z.strictObject({
  x: z.number().int().min(0).max(20_000),
  y: z.number().int().min(0).max(20_000),
  width: z.number().int().min(1).max(20_000),
  height: z.number().int().min(1).max(20_000),
});

/** In one line, as lists have it, and without what would turn the rest of the line. */
const studyName = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(
    /^[^\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u,
    'a name is one line, without marks of direction',
  );

/** Studies. */
export const studyCommands = {
  'quickstart.plan': command(none, quickstartPlanSchema),
  'quickstart.start': command(quickstartOptionsSchema, z.object({ studyId })),
  /** `checked`: answers once changed journals have been looked at for damage, which takes seconds; else what is known of that. */
  'study.list': command(z.strictObject({ checked: z.literal(true).optional() }), z.array(studyViewSchema)),
  'study.create': command(
    z.strictObject({
      name: studyName,
      benchmarkId: z.string().min(1),
      /** Number of problems, from the first; left out: all. */
      problems: z.number().int().positive().optional(),
      /** Only problems of contests between these days, inclusive. */
      from: isoDay.optional(),
      to: isoDay.optional(),
      /** True: includes problems that are marked as excluded. */
      includeExcluded: z.boolean().default(false),
      /** True: leaves out problems without public tests, where nothing guides a search. */
      needsPublicTests: z.boolean().default(false),
      configurations: z
        .array(newConfigurationSchema)
        .min(1)
        .max(50)
        .refine(areDistinct, 'two configurations share a name'),
      search: searchOptionsSchema,
      seeds: z
        .array(z.number().int().nonnegative())
        .min(1)
        .max(100)
        .refine(isUnique, 'a seed is given twice'),
    }),
    z.object({ studyId }),
  ),
  /**
   * More of a study, or other limits of its trees: everything that its journals have stays as it is. One that runs
   * stops for it and continues. `apply`: false only says what it would add.
   */
  'study.extend': command(
    z.strictObject({
      studyId,
      apply: z.boolean(),
      /** Seeds that it does not have. */
      seeds: z
        .array(z.number().int().min(0).max(2_147_483_647))
        .max(100)
        .refine(isUnique, 'a seed is given twice')
        .optional(),
      /** How many problems it has then, of the same benchmark and choice. */
      problems: z.number().int().positive().max(1_000_000).optional(),
      /** Nodes of one tree then; fewer: of trees that have more, the first ones count. */
      nodes: treeLimitsSchema.shape.nodes.optional(),
      /** Further limits of one tree then; null: none. */
      tokens: treeLimitsSchema.shape.tokens.optional(),
      seconds: treeLimitsSchema.shape.seconds.optional(),
      /** Of agents that it has, and of new ones. */
      configurations: z
        .array(configurationSpecSchema)
        .max(50)
        .refine(
          (all) => isUnique(all.map(({ configuration }) => configuration)),
          'two configurations share a name',
        )
        .optional(),
      /** Asked alone: the seeds and configurations of the last extension leave the plan, their journals are kept aside. */
      takeBack: z.literal(true).optional(),
    }),
    z.object({
      extension: studyExtensionSchema,
      /** Programs to write more, at most; below 0: fewer. */
      programs: z.number().int(),
    }),
  ),
  'study.start': command(z.strictObject({ studyId }), done),
  'study.pause': command(z.strictObject({ studyId }), done),
  'study.cancel': command(z.strictObject({ studyId }), done),
  /** Moves the study and its journals to the data folder's trash; `study.restore` brings it back. */
  'study.remove': command(z.strictObject({ studyId }), done),
  'study.restore': command(z.strictObject({ studyId }), done),
  /** The studies that `study.restore` can bring back, oldest first. */
  'study.trash': command(
    z.strictObject({}),
    z.array(
      z.object({
        studyId: z.string(),
        name: z.string(),
        createdAt: z.string(),
        /** Of its journals and other files. */
        bytes: z.number().int().nonnegative(),
      }),
    ),
  ),
  /** Deletes a study that is in the trash, with its journals, for good. */
  'study.delete': command(z.strictObject({ studyId }), done),
  /**
   * Requests at once to each of its servers, at once and in later sessions; null: as many as the server takes. Refused where
   * that changes what is searched.
   */
  'study.set': command(
    z.strictObject({ studyId, parallel: z.number().int().min(1).max(10_000).nullable() }),
    studyViewSchema,
  ),
  /** Changes the name alone; the id stays. */
  'study.rename': command(z.strictObject({ studyId, name: studyName }), studyViewSchema),
  /** Note and tags. */
  'study.annotate': command(
    z.strictObject({
      studyId,
      note: z.string().max(4_000),
      tags: z
        .array(z.string().regex(/^[^\s,]{1,30}$/, 'is not a tag: write my-tag, of at most 30 characters'))
        .max(20)
        .refine(isUnique, 'a tag is given twice'),
    }),
    studyViewSchema,
  ),
  /** The outcome of every problem of every run, from stored summaries instead of journals. */
  'study.outcomes': command(z.strictObject({ studyId }), studyOutcomesSchema),
  /** The servers that it asked, and what made each of their starts; none of a study of an older workbench. */
  'study.origins': command(z.strictObject({ studyId }), z.array(originSchema)),
  'study.analysis': command(z.strictObject({ studyId }), analysisSchema),
  /** Reads every candidate's program, so it is a separate command; reports `progress` events. */
  'study.diversity': command(
    z.strictObject({
      studyId,
      judge: diversityJudgeSchema.default({ kind: 'structure' }),
      similarity: similaritySchema.default({ kind: 'tokens' }),
    }),
    diversitySchema,
  ),
  /** Replays every tree of the study from its seed, grades programs again, and compares. Changes nothing. */
  'study.verify': command(
    z.strictObject({
      studyId,
      /** Programs to grade again, drawn with `seed`; 0: none. */
      programs: z.union([z.literal('all'), z.number().int().nonnegative()]).default(500),
      seed: z.number().int().min(0).max(2_147_483_647).default(1),
    }),
    verificationSchema,
  ),
  /**
   * Runs the private tests of the study's candidates again and lists what changed. Changes nothing. All of them are kept as a
   * re-grade beside the study's journals, which does not count until it is chosen.
   */
  'study.regrade': command(
    z.strictObject({
      studyId,
      /** At most this many programs, spread evenly, of which nothing is kept; left out: all. */
      programs: z.number().int().positive().optional(),
      /** Regrades in the other grading mode, to see what depends on it. */
      grading: z.enum(['as-program', 'as-published']).optional(),
      /** The benchmark whose tests are run, e.g. corrected ones; left out: the study's own. */
      benchmarkId: z.string().min(1).max(200).optional(),
    }),
    regradeSchema.extend({
      /** Left out: nothing is kept. */
      kept: regradeFactsSchema.optional(),
    }),
  ),
  /** Nodes whose private verdict differs between the first grading and a re-grade. */
  'study.regradeChanges': command(
    z.strictObject({ studyId, regradeId: z.string().min(1).max(40) }),
    regradeSchema.shape.changed,
  ),
  /** Which grading counts for tables, metrics and exports; null: the first one. */
  'study.countRegrade': command(
    z.strictObject({ studyId, regradeId: z.string().min(1).max(40).nullable() }),
    done,
  ),
  /** Cancels the running command of this kind; changes so far are undone. */
  'task.cancel': command(z.strictObject({ task: longTaskSchema }), done),
  'export.write': command(
    z.strictObject({ studyId, kind: exportKindSchema, path: z.string().min(1) }),
    z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int() }),
    'terminal',
  ),
  /** What only a study has; its tables are written by `report.choose`. */
  'export.choose': command(
    z.strictObject({ studyId, kind: exportKindSchema.extract(['nodes', 'marti']) }),
    z.object({ path: z.string(), rows: z.number().int(), bytes: z.number().int() }),
    'window',
  ),
  /** A part of the window as it is seen, into the clipboard or a PNG file. */
  'picture.copy': command(z.strictObject({ area: windowArea }), done, 'window'),
  'picture.choose': command(
    z.strictObject({ area: windowArea, name: z.string().regex(/^[a-z0-9][a-z0-9.-]{0,79}$/) }),
    z.object({ path: z.string(), bytes: z.number().int() }),
    'window',
  ),
  /** In the desktop's program for files; only what this window has written. */
  'file.showInFolder': command(z.strictObject({ path: z.string().min(1).max(4_096) }), done, 'window'),
};
