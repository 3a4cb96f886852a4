import { z } from 'zod';

/**
 * One question that the search asked itself on its way to a node, with what every option got. Options are named
 * "generate" (a fresh attempt here), "proceed" (go on below), "child:12", "agent:solver", "leaf:7".
 */
export const decisionSchema = z.object({
  /** The node at which the question came up; -1 is the root. */
  node: z.number().int().min(-1),
  question: z.enum(['widen', 'child', 'agent', 'leaf']),
  /** draw: from a belief; bound: an upper confidence bound; score: a mean or public score; turn: whose turn it was. */
  measure: z.enum(['draw', 'bound', 'score', 'turn']),
  options: z.array(z.string()),
  /** One per option: the largest wins (turn: the smallest). null: untried, which goes first. */
  values: z.array(z.number().nullable()),
  /** Position among the options. */
  chosen: z.number().int().nonnegative(),
});
export type Decision = z.infer<typeof decisionSchema>;

/**
 * The posterior of an option when the search compared it: the mean score of the nodes below the option, in [0, 1]. 90 %
 * of it lie between `low` and `high`; null where the strategy keeps a mean only.
 */
export const optionPosteriorSchema = z.object({
  /** Scores that the belief has seen. */
  observations: z.number().int().nonnegative(),
  mean: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});
export type OptionPosterior = z.infer<typeof optionPosteriorSchema>;
