import { z } from 'zod';
import { HUE_COUNT } from './plans/hues';
import { refusalCauseSchema } from './refusal';
import { MAX_REGRADES, regradeFactsSchema } from './regrade';
import { runConfigSchema } from './run';
import { scaleSchema } from './scale';
import { treeLimitsSchema } from './strategy';

const changedLimit = <S extends z.ZodType>(limit: S) => z.object({ before: limit, since: limit });

/** One extension of a study: what it has more since then, or other limits of its trees. */
export const studyExtensionSchema = z.object({
  /** ISO time. */
  at: z.string(),
  /** Had it results by then? Its intervals do not account for the look at them. */
  afterResults: z.boolean(),
  seeds: z.array(z.number().int().nonnegative()),
  /** How many problems more. */
  problems: z.number().int().nonnegative(),
  /** Nodes of one tree before (the most of any configuration) and since; null: unchanged. */
  nodes: z.object({ before: z.number().int().positive(), since: z.number().int().positive() }).nullable(),
  configurations: z.array(z.string()),
  /** Names of agents that the study had not asked before; left out: none. */
  agents: z.array(z.string()).optional(),
  /**
   * Takes the seeds and configurations of an earlier one out of the plan: had their runs written a program by then? Left out: it
   * adds or sets something.
   */
  takesBack: z.enum(['searched', 'unsearched']).optional(),
  /** Tokens and seconds of one tree before and since; null: no limit. Left out: unchanged. */
  tokens: changedLimit(treeLimitsSchema.shape.tokens).optional(),
  seconds: changedLimit(treeLimitsSchema.shape.seconds).optional(),
  /** From where; left out by earlier versions. */
  by: z.enum(['window', 'terminal']).optional(),
});
export type StudyExtension = z.infer<typeof studyExtensionSchema>;

/**
 * A planned set of runs. It only grows, by an extension or a re-grade, but for an extension that is taken back, and its trees can get
 * other limits; what happened is in the journals of its runs.
 */
export const studySchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  createdAt: z.string(),
  scale: scaleSchema,
  /** How its problems were chosen; left out: otherwise, or by an earlier version. */
  choice: z
    .object({
      /** Only this many; left out: all. */
      problems: z.number().int().positive().optional(),
      /** ISO days of contests. */
      from: z.string().optional(),
      to: z.string().optional(),
      includeExcluded: z.boolean(),
      needsPublicTests: z.boolean(),
    })
    .optional(),
  /** Searched side by side, problem by problem, so that partial results compare like with like. */
  runs: z.array(runConfigSchema).min(1),
  /** In their order; left out: it was never extended. */
  extensions: z.array(studyExtensionSchema).max(1_000).optional(),
  /** Complete ones, in their order; left out: it was never graded again. */
  regrades: z.array(regradeFactsSchema).max(MAX_REGRADES).optional(),
  /** The re-grade whose private verdicts count, by id; left out: those of the first grading. */
  countedRegrade: z.string().optional(),
});
export type Study = z.infer<typeof studySchema>;

/** A colour of a configuration. */
export const hueSchema = z
  .number()
  .int()
  .min(0)
  .max(HUE_COUNT - 1);

export const progressSchema = z.object({
  nodesDone: z.number().int().nonnegative(),
  nodesTotal: z.number().int().nonnegative(),
  gradedDone: z.number().int().nonnegative(),
  problemsDone: z.number().int().nonnegative(),
  problemsTotal: z.number().int().nonnegative(),
  /** Milliseconds of work so far, pauses and restarts left out. */
  elapsedMs: z.number().nonnegative(),
  /** Milliseconds still to go; null while too little is known. */
  remainingMs: z.number().nonnegative().nullable(),
});
export type Progress = z.infer<typeof progressSchema>;

/** interrupted: its app ended while it ran; resume continues from the journals. */
export const studyStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('planned') }),
  /**
   * It begins, or continues, by itself once the study named `behind` no longer uses its machine or server `where`, e.g.
   * "on this computer".
   */
  z.object({ kind: z.literal('queued'), behind: z.string(), where: z.string() }),
  /** `step` in words: "pre-training reader", "starting servers". */
  z.object({ kind: z.literal('preparing'), step: z.string() }),
  z.object({ kind: z.literal('running') }),
  z.object({ kind: z.literal('pausing') }),
  z.object({ kind: z.literal('paused') }),
  z.object({ kind: z.literal('interrupted') }),
  z.object({ kind: z.literal('cancelled') }),
  z.object({
    kind: z.literal('failed'),
    message: z.string(),
    hint: z.string().optional(),
    cause: refusalCauseSchema.optional(),
  }),
  z.object({ kind: z.literal('finished') }),
  /** It has searched, but its journals are not in the data folder. */
  z.object({ kind: z.literal('missing'), message: z.string(), hint: z.string().optional() }),
]);
export type StudyState = z.infer<typeof studyStateSchema>;

/** A warning to act on while a run can still be saved: an agent whose calls all fail, a sandbox fault ... */
export const studyWarningSchema = z.object({
  /** Stays the same while its counts and messages change. */
  id: z.string(),
  /** The configuration that it is about; null: the study, or unknown. */
  configuration: z.string().nullable(),
  /** What happened, how often, and what to do. */
  text: z.string(),
});
export type StudyWarning = z.infer<typeof studyWarningSchema>;

/** A warning in a file: earlier versions wrote its text alone. */
export const savedWarningSchema = z.union([
  studyWarningSchema,
  z.string().transform((text): StudyWarning => ({ id: text, configuration: null, text })),
]);

/** A problem of a run's journal, and what to do about it. */
export const journalProblemSchema = z.object({
  message: z.string(),
  hint: z.string().optional(),
  /** Would `run.repair` help? */
  repairable: z.boolean(),
  /** Nothing is missing from the file: a newer version wrote a part that this one does not know. */
  isNewer: z.literal(true).optional(),
});
export type JournalProblem = z.infer<typeof journalProblemSchema>;

const rate = z.number().min(0).max(1);

/** The best configuration of a finished study by Pass@N, for lists; from its last analysis. */
export const headlineSchema = z.object({
  configuration: z.string().max(400),
  /** How many other configurations have the same value; left out: none. */
  level: z.number().int().positive().optional(),
  /** Pass@N in [0, 1], with its 95 % interval. */
  value: rate,
  low: rate,
  high: rate,
  /** N: nodes per tree. */
  n: z.number().int().positive(),
  problems: z.number().int().nonnegative(),
  /** Pass@N over the nodes: from the first node to all N, evenly spaced. */
  curve: z.array(rate).max(24),
});
export type Headline = z.infer<typeof headlineSchema>;

export const studyViewSchema = z.object({
  study: studySchema,
  state: studyStateSchema,
  progress: progressSchema,
  warnings: z.array(studyWarningSchema),
  finishedAt: z.string().nullable(),
  /** Left out: it is not finished, its journals are damaged, or nobody has looked at its analysis since an earlier version finished it. */
  headline: headlineSchema.optional(),
  /** Journals that cannot be read as a whole, in the order of the runs, as far as that was looked at; left out: none. */
  damage: z
    .array(journalProblemSchema.extend({ runId: z.string() }))
    .min(1)
    .optional(),
  /** The colour of each configuration (`configurationsOf`), the same in every study and comparison of a data folder. */
  hues: z.array(hueSchema),
  /** What a person wrote to it; left out: nothing. */
  note: z.string().optional(),
  tags: z.array(z.string()).optional(),
  /** Requests at once to each of its servers, at most; left out: as many as the server takes. */
  parallel: z.number().int().positive().optional(),
  /** Name of the bundle of another lab that it came with: read-only. Left out: the workbench's own. */
  fromBundle: z.string().optional(),
});
export type StudyView = z.infer<typeof studyViewSchema>;

/** What the first screen shows before anything runs. */
export const quickstartPlanSchema = z.object({
  configurations: z.array(
    z.object({ configuration: z.string(), team: z.string(), agents: z.array(z.string()) }),
  ),
  problems: z.number().int(),
  nodesPerTree: z.number().int(),
  samplesPerAgent: z.number().int(),
  candidates: z.number().int(),
  /** Estimated seconds on this computer. */
  estimatedSeconds: z.number(),
  dataDir: z.string(),
  /** null when grading can start; else what is missing and what to type. */
  sandboxProblem: z.string().nullable(),
});
export type QuickstartPlan = z.infer<typeof quickstartPlanSchema>;
