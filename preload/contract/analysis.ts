import { z } from 'zod';
import { scaleSchema } from './scale';

/**
 * pass@1: mean over agents and problems of the share of independent first attempts that pass the private tests.
 * pass@1(mcts): the chosen node of the tree passes. pass@n: some node passes the private tests.
 * pass@10: unbiased over independent samples, left out when some problem has fewer than 10.
 * pass@n(public): some node passes the public tests. (docs/search.md, Metrics.)
 */
export const metricNameSchema = z.enum(['pass@1', 'pass@10', 'pass@1(mcts)', 'pass@n', 'pass@n(public)']);
export type MetricName = z.infer<typeof metricNameSchema>;

/** `value`, `low`, `high` are rates in [0, 1]; the interval is the 95 % bootstrap interval over problems. */
const estimate = { value: z.number(), low: z.number(), high: z.number() };

export const metricCellSchema = z.object({
  metric: metricNameSchema,
  ...estimate,
  /** Problems that count here. */
  problems: z.number().int(),
  /** Candidates that count here: independent samples for pass@1, nodes for the others. */
  candidates: z.number().int(),
  /** Candidates left out because the sandbox failed on them. */
  faults: z.number().int(),
});
export type MetricCell = z.infer<typeof metricCellSchema>;

export const configurationRowSchema = z.object({
  configuration: z.string(),
  team: z.string(),
  scale: scaleSchema,
  seeds: z.array(z.number().int()),
  nodesPerTree: z.number().int(),
  /** Different programs among all candidates, as a share in [0, 1]. */
  distinctShare: z.number(),
  cells: z.array(metricCellSchema),
});
export type ConfigurationRow = z.infer<typeof configurationRowSchema>;

export const curveSchema = z.object({
  configuration: z.string(),
  /** pass@n / pass@n(public) / pass@1(mcts) over the first n nodes; pass@k: unbiased over independent samples. */
  measure: z.enum(['pass@n', 'pass@n(public)', 'pass@1(mcts)', 'pass@k']),
  points: z.array(z.object({ n: z.number().int().positive(), ...estimate })),
});
export type Curve = z.infer<typeof curveSchema>;

export const pairSchema = z.object({
  metric: metricNameSchema,
  /** first minus second, over the problems that both have finished. */
  first: z.string(),
  second: z.string(),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  problems: z.number().int(),
  /** Does the 95 % interval, widened for the number of pairs (Bonferroni), leave out 0? */
  separable: z.boolean(),
});
export type Pair = z.infer<typeof pairSchema>;

export const analysisSchema = z.object({
  studyId: z.string(),
  rows: z.array(configurationRowSchema),
  curves: z.array(curveSchema),
  pairs: z.array(pairSchema),
  /** Plain sentences: what can and what can not be said. */
  sentences: z.array(z.string()),
  /** How the intervals were made, for the foot of the table. */
  method: z.string(),
  complete: z.boolean(),
});
export type Analysis = z.infer<typeof analysisSchema>;
