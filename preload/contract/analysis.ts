import { z } from 'zod';
import { scaleSchema } from './scale';

/**
 * pass@1: mean over agents and problems of the share of independent first attempts that pass the private tests.
 * pass@1(mcts): the chosen node of the tree passes. pass@n: some node passes the private tests.
 * pass@10: unbiased over independent samples, left out when some problem has fewer than 10.
 * pass@n(public): some node passes the public tests. (docs/metrics.md)
 */
export const metricNameSchema = z.enum(['pass@1', 'pass@10', 'pass@1(mcts)', 'pass@n', 'pass@n(public)']);
export type MetricName = z.infer<typeof metricNameSchema>;

/** `value`, `low`, `high` are rates in [0, 1]; the interval is the 95 % bootstrap interval over problems. */
const estimate = { value: z.number(), low: z.number(), high: z.number() };

/** How far apart the seeds' own values are, each a mean over the same problems; left out with fewer than two seeds. */
export const seedSpreadSchema = z.object({
  /** Standard deviation over the seeds (n - 1). */
  sd: z.number().nonnegative(),
  min: z.number(),
  max: z.number(),
});
export type SeedSpread = z.infer<typeof seedSpreadSchema>;

/**
 * The spread of the seeds' own numbers, by the names of the numbers beside it; left out with fewer than two finished
 * seeds.
 */
export const seedSpreadsSchema = z.record(z.string(), seedSpreadSchema);
export type SeedSpreads = z.infer<typeof seedSpreadsSchema>;

export const metricCellSchema = z.object({
  metric: metricNameSchema,
  ...estimate,
  /** Problems that count here. */
  problems: z.number().int(),
  /** Candidates that count here: independent samples for pass@1, nodes for the others. */
  candidates: z.number().int(),
  /** Candidates left out because the sandbox failed on them. */
  faults: z.number().int(),
  /** For pass@1(mcts): its value when ties between equally good nodes are broken by chance. */
  overTies: z.number().optional(),
  seedSpread: seedSpreadSchema.optional(),
  /** How much of it could be noise of the grader, as the last regrade of the runs found; left out: none was kept. */
  graderNoise: z
    .object({
      /** Programs whose private tests were run again, of all runs that were. */
      graded: z.number().int().positive(),
      /** Nodes and samples whose verdict changed. */
      changed: z.number().int(),
      /** The value by the new verdicts minus the value. */
      shift: z.number(),
    })
    .optional(),
});
export type MetricCell = z.infer<typeof metricCellSchema>;

export const configurationRowSchema = z.object({
  configuration: z.string(),
  team: z.string(),
  scale: scaleSchema,
  seeds: z.array(z.number().int()),
  nodesPerTree: z.number().int(),
  /** Nodes of its longest tree, where its recording has no more answers; left out: trees may have all their nodes. */
  longestTree: z.number().int().optional(),
  /** Different programs among all candidates, as a share in [0, 1]. */
  distinctShare: z.number(),
  cells: z.array(metricCellSchema),
});
export type ConfigurationRow = z.infer<typeof configurationRowSchema>;

export const curveSchema = z.object({
  configuration: z.string(),
  /** pass@n / pass@n(public) / pass@1(mcts) over the first n nodes; pass@k: unbiased over independent samples. */
  measure: z.enum(['pass@n', 'pass@n(public)', 'pass@1(mcts)', 'pass@k']),
  /**
   * What n counts: nodes (samples for pass@k); of a tree so far its tokens, its seconds of writing and grading, its
   * GPU-hours, or its price in the settings' currency. The last two in comparisons of runs alone (docs/metrics.md).
   */
  axis: z.enum(['nodes', 'tokens', 'seconds', 'gpu-hours', 'money']),
  points: z.array(z.object({ n: z.number().positive(), ...estimate })),
});
export type Curve = z.infer<typeof curveSchema>;

/**
 * Problems on which the first does better for each on which the second does, with its exact 95 % interval. null:
 * infinite, since the second does better on none.
 */
export const oddsRatioSchema = z.object({
  value: z.number().nonnegative().nullable(),
  low: z.number().nonnegative(),
  high: z.number().nonnegative().nullable(),
});
export type OddsRatio = z.infer<typeof oddsRatioSchema>;

export const pairSchema = z.object({
  metric: metricNameSchema,
  /** first minus second, over the problems that both have finished. */
  first: z.string(),
  second: z.string(),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  problems: z.number().int(),
  /** Significant: p < 0.05 after Holm's correction over all pairs of the metric. */
  separable: z.boolean(),
  /**
   * What gave `p`. mcnemar: exact, over problems that just one of both solves, where each problem has one verdict per
   * side; bootstrap: paired, where a problem has a rate; two-level: the same over seeds, too, where its p is the
   * larger; seeds: paired t test over the seeds, where these are trainings and its p is the larger (with two seeds p is
   * 1). `p` is two-sided; `pHolm` corrected over the pairs of the metric.
   */
  test: z.object({
    kind: z.enum(['mcnemar', 'bootstrap', 'two-level', 'seeds']),
    /** Problems that count for the first alone and for the second alone. */
    onlyFirst: z.number().int(),
    onlySecond: z.number().int(),
    p: z.number().min(0).max(1),
    pHolm: z.number().min(0).max(1),
  }),
  /** null: they differ on no problem. */
  oddsRatio: oddsRatioSchema.nullable(),
  /** Of the seeds' own differences; left out: they have not the same seeds, or fewer than two. */
  seedSpread: seedSpreadSchema.optional(),
  /** Smallest true difference detected with 80 % power; null where it is unknown. */
  detectable: z.number().nullable(),
  /** Problems that would be needed to show the difference found in four of five studies; null: more than a million, or its interval covers seeds. */
  problemsNeeded: z.number().int().nullable(),
});
export type Pair = z.infer<typeof pairSchema>;

/** Against which method's value a value was tested, and what was found; `isSignificant` null: not testable, e.g. with too few seeds. */
export const cellTestSchema = z.object({
  against: z.string(),
  isSignificant: z.boolean().nullable(),
  /** That method's value minus this one. */
  ...pairSchema.pick({ difference: true, low: true, high: true }).partial().shape,
  /** Left out: not testable. */
  ...pairSchema.shape.test.pick({ kind: true, p: true, pHolm: true }).partial().shape,
});

/** Compact letter display: configurations that share a letter do not differ significantly in this metric. */
export const groupingSchema = z.object({
  metric: metricNameSchema,
  letters: z.array(z.object({ configuration: z.string(), letters: z.string() })),
});
export type Grouping = z.infer<typeof groupingSchema>;

/** A metric over a part of the problems. */
export const breakdownSchema = z.object({
  by: z.enum(['difficulty', 'platform', 'month']),
  /** e.g. "hard", "atcoder", "2025-01". */
  part: z.string(),
  configuration: z.string(),
  metric: metricNameSchema,
  ...estimate,
  problems: z.number().int(),
  /** Left out: fewer than two seeds. */
  seedSpread: seedSpreadSchema.optional(),
});
export type Breakdown = z.infer<typeof breakdownSchema>;

/** A difference over a part of the problems; `pHolm`: corrected over all parts and pairs of the grouping and metric. */
export const partPairSchema = pairSchema
  .omit({ detectable: true, problemsNeeded: true })
  .extend({ by: breakdownSchema.shape.by, part: z.string() });
export type PartPair = z.infer<typeof partPairSchema>;

/**
 * G-Pass@k at tau (arXiv 2412.13147): the chance that at least tau * k of k independent samples pass; mean over
 * problems and over agents taken together.
 */
export const stabilitySchema = z.object({
  configuration: z.string(),
  k: z.number().int().positive(),
  tau: z.number().gt(0).max(1),
  ...estimate,
  problems: z.number().int(),
  seedSpread: seedSpreadSchema.optional(),
});
export type Stability = z.infer<typeof stabilitySchema>;

/** What a configuration used, over all its trees and samples. */
export const costSchema = z.object({
  configuration: z.string(),
  candidates: z.number().int(),
  promptTokens: z.number().int(),
  completionTokens: z.number().int(),
  /** Added up over candidates, so more than the time that passed. Not in any CSV that must be the same bytes. */
  generateSeconds: z.number(),
  gradeSeconds: z.number(),
  /** Tokens of search trees for each problem that Pass@1(MCTS) solves; null where none is. */
  tokensPerSolved: z.number().nullable(),
  /** Estimates, in comparisons of runs alone (docs/metrics.md). null: GPUs or prices are not known. */
  gpuHours: z.number().nullable().optional(),
  money: z.object({ amount: z.number(), currency: z.string() }).nullable().optional(),
  seedSpreads: seedSpreadsSchema.optional(),
});
export type Cost = z.infer<typeof costSchema>;

/**
 * Conclusions in a line each, in the order of their sentences, for people who decide; the sentence is its explanation.
 * `limit`: it limits what the others say; `interim`: a difference so far, of a study that is not finished. Older results: not
 * recorded.
 */
export const chipsSchema = z
  .array(z.object({ kind: z.enum(['difference', 'no-difference', 'interim', 'limit']), text: z.string() }))
  .optional();

export const analysisSchema = z.object({
  studyId: z.string(),
  rows: z.array(configurationRowSchema),
  curves: z.array(curveSchema),
  pairs: z.array(pairSchema),
  groupings: z.array(groupingSchema),
  /** Empty where the benchmark has no difficulty, platform or date. */
  breakdowns: z.array(breakdownSchema),
  /** Configurations compared in each part; empty also where a grouping has one part, or there are over 30 of them. */
  partPairs: z.array(partPairSchema),
  stability: z.array(stabilitySchema),
  costs: z.array(costSchema),
  /** Nodes whose verdict depends on the reading (`search.grading`). */
  differingVerdicts: z.number().int(),
  /** What can and cannot be concluded, in plain sentences. */
  sentences: z.array(z.string()),
  chips: chipsSchema,
  /** Index of the sentence that matters most beside the first: one is a conclusion, the other limits it. Older analyses: not recorded. */
  secondMain: z.number().int().nonnegative().optional(),
  /** How values, intervals and tests were made, in one paragraph, for files. */
  method: z.string(),
  /** The same and how answers are chosen, by topic, for people who look for one of them. */
  methodNotes: z.array(z.object({ topic: z.string(), lines: z.array(z.string()) })),
  /**
   * How often results could be looked at before these, where a study was extended after that: its intervals do not account
   * for it. Left out: once.
   */
  looks: z.number().int().min(2).optional(),
  complete: z.boolean(),
});
export type Analysis = z.infer<typeof analysisSchema>;
