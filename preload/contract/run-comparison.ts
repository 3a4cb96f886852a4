import { z } from 'zod';
import {
  analysisSchema,
  metricNameSchema,
  oddsRatioSchema,
  pairSchema,
  seedSpreadSchema,
  seedSpreadsSchema,
} from './analysis';
import { hueSchema } from './study';

/** Runs to be compared, of any studies. Runs under one label are pooled over their seeds. */
export const comparedRunsSchema = z
  .array(
    z.strictObject({
      runId: z.string().min(1),
      /** Left out: its configuration, with the study's name where two studies call theirs alike. */
      label: z.string().min(1).max(120).optional(),
    }),
  )
  .min(1)
  .max(500);
export type ComparedRuns = z.output<typeof comparedRunsSchema>;

/** One run of a configuration on one problem: where its tree is found. */
const runRefSchema = z.object({ studyId: z.string(), runId: z.string() });

/** Who solves what: problems by configurations. Solved: the chosen node passes the private tests. */
export const solveMatrixSchema = z.object({
  configurations: z.array(z.string()),
  problems: z.array(
    z.object({
      problemId: z.string(),
      /** Benchmarks may name theirs alike: a row is one problem of one benchmark. */
      benchmarkId: z.string(),
      title: z.string(),
      difficulty: z.string().nullable(),
      /** One per configuration: share of its seeds that solve it, and that some node solves it; null: not searched. */
      cells: z.array(
        z
          .object({
            solved01: z.number().min(0).max(1),
            found01: z.number().min(0).max(1),
            runRef: runRefSchema,
          })
          .nullable(),
      ),
    }),
  ),
  /** Counted over problems that every configuration has finished; solved by more than half of the seeds. */
  byAll: z.number().int(),
  byNone: z.number().int(),
  /** By this configuration alone, one per configuration. */
  byOneAlone: z.array(z.number().int()),
});
export type SolveMatrix = z.infer<typeof solveMatrixSchema>;

/** Rates, or a difference of rates, with the 95 % interval and, of several seeds, their spread. */
const estimate = {
  value: z.number(),
  low: z.number(),
  high: z.number(),
  seedSpread: seedSpreadSchema.optional(),
};

/** Paired over problems; `pHolm` is corrected over all gains of the comparison. */
const gainDifferenceSchema = z.object({
  ...estimate,
  p: z.number().min(0).max(1),
  pHolm: z.number().min(0).max(1),
  /** As of a pair: problems on which the team does better for each on which the other side does; null: they differ on none. */
  oddsRatio: oddsRatioSchema.nullable(),
});
export type GainDifference = z.infer<typeof gainDifferenceSchema>;

/**
 * What a team adds over its members alone with as many nodes: problems that some node of the team's tree solves, of
 * one member's tree alone, and of the members' trees cut to equal shares and put together.
 */
export const teamGainSchema = z.object({
  team: z.string(),
  /** Configurations of single agents with the same servers as the team's. */
  members: z.array(z.string()).min(1),
  /** Rates in [0, 1] over the problems that all have finished. */
  team01: z.number(),
  bestMember01: z.number(),
  /**
   * The first N / agents nodes of each member's tree put together, one tree per agent: agents side by side without
   * sharing a tree. null: a member has fewer seeds than agents in the team.
   */
  sideBySide01: z.number().nullable(),
  problems: z.number().int(),
  /** Team minus best member, and team minus side by side (null where that is). */
  overBest: gainDifferenceSchema,
  overSideBySide: gainDifferenceSchema.nullable(),
});
export type TeamGain = z.infer<typeof teamGainSchema>;

/**
 * Results on problems from before and from after the training cut-off, which the settings have of each model. A team has
 * the latest one of its models.
 */
export const cutoffSplitSchema = z.object({
  configuration: z.string(),
  /** Its models; null: no cut-off is set. */
  models: z.array(z.object({ model: z.string(), cutoff: z.string().nullable() })),
  /** A month or a day, whose problems still count as before; null: that of a model is not set. */
  cutoff: z.string().nullable(),
  /** Empty without a cut-off. `difference`: after minus before; null: all problems are on one side. */
  parts: z.array(
    z.object({
      metric: metricNameSchema,
      before: z.object({ ...estimate, problems: z.number().int().positive() }).nullable(),
      after: z.object({ ...estimate, problems: z.number().int().positive() }).nullable(),
      difference: z.object(estimate).nullable(),
    }),
  ),
  /** Finished problems without a date, which are on no side. */
  undated: z.number().int(),
});
export type CutoffSplit = z.infer<typeof cutoffSplitSchema>;

/**
 * A difference at equal budgets: of the one that uses more, only the nodes count that each of its trees has within
 * `limit`, which is chosen so that both use as much in all.
 */
export const matchedPairSchema = pairSchema.omit({ detectable: true, problemsNeeded: true }).extend({
  axis: z.enum(['tokens', 'gpu-hours']),
  /** Whose trees are cut, and at which tokens or GPU-hours per tree; null: both use the same. */
  cut: z.object({ configuration: z.string(), limit: z.number() }).nullable(),
  /** Tokens or GPU-hours per tree that count, means over the problems. */
  firstUse: z.number(),
  secondUse: z.number(),
});
export type MatchedPair = z.infer<typeof matchedPairSchema>;

export const contributionSchema = z.object({
  configuration: z.string(),
  agents: z.array(
    z.object({
      agentId: z.string(),
      name: z.string(),
      firstAttempts: z.number().int(),
      refinements: z.number().int(),
      /** Of each, those that pass the private tests. */
      firstAttemptsPassed: z.number().int(),
      refinementsPassed: z.number().int(),
      /** Problems whose chosen, passing node is its own; and whose chosen, passing node refines one of its own. */
      solved: z.number().int(),
      childSolved: z.number().int(),
      tokens: z.number(),
      seedSpreads: seedSpreadsSchema.optional(),
    }),
  ),
  /** [who wrote the parent][who refined it], in the order of `agents`; `repaired`: parent fails, child passes. */
  transitions: z.array(
    z.array(
      z.object({
        count: z.number().int(),
        repaired: z.number().int(),
        seedSpreads: seedSpreadsSchema.optional(),
      }),
    ),
  ),
});
export type Contribution = z.infer<typeof contributionSchema>;

/** Shape of a configuration's trees. Means are over trees. */
export const treeShapeSchema = z.object({
  configuration: z.string(),
  trees: z.number().int(),
  meanDepth: z.number(),
  maxDepth: z.number().int(),
  /** First attempts per tree. */
  meanWidth: z.number(),
  /** Children of nodes that have any. */
  meanBranching: z.number(),
  /** Nodes at depth 1, 2 ... over all trees, and how many of them pass the private tests. */
  byDepth: z.array(z.object({ depth: z.number().int(), nodes: z.number().int(), passed: z.number().int() })),
  seedSpreads: seedSpreadsSchema.optional(),
});
export type TreeShape = z.infer<typeof treeShapeSchema>;

/** A setting in which the configurations differ. `path`: e.g. "search.nodes", "agents[0].sampling.temperature". */
export const settingDifferenceSchema = z.object({
  path: z.string(),
  /** One per configuration, as text; null: it has no such setting. */
  values: z.array(z.string().nullable()),
});
export type SettingDifference = z.infer<typeof settingDifferenceSchema>;

export const runComparisonSchema = z.object({
  /** In the order in which they were first named. */
  configurations: z.array(z.string()),
  /** Their colours, one per configuration, as in their studies. */
  hues: z.array(hueSchema),
  /** How each searches, in full. */
  searches: z.array(z.string()),
  analysis: analysisSchema,
  solves: solveMatrixSchema,
  gains: z.array(teamGainSchema),
  /** One per configuration; empty where no problem has a date. */
  cutoffs: z.array(cutoffSplitSchema),
  /** Empty of more than 30 configurations; GPU-hours only where both have any. */
  matched: z.array(matchedPairSchema),
  contributions: z.array(contributionSchema),
  shapes: z.array(treeShapeSchema),
  differences: z.array(settingDifferenceSchema),
  /** Why some of these should not be compared, each in a sentence: another benchmark, N, reading of verdicts. */
  cautions: z.array(z.string()),
});
export type RunComparison = z.infer<typeof runComparisonSchema>;
