import { z } from 'zod';

/** How the next node is chosen. Sources and rules: main/search, each file at its head. */
export const strategySchema = z.discriminatedUnion('kind', [
  /** Repeated sampling (best-of-N): always a new program from the problem, agents in turn. */
  z.object({ kind: z.literal('repeated') }),
  /** AB-MCTS-A (arXiv 2503.04412, as treequest implements it), with several agents. */
  z.object({
    kind: z.literal('ab-mcts-a'),
    beliefs: z.enum(['gaussian', 'beta']),
    /** Who is chosen when: thompson and ucb choose the node first, stack the agent first. */
    selection: z.enum(['thompson', 'ucb', 'stack']),
  }),
]);
export type Strategy = z.infer<typeof strategySchema>;

export const searchOptionsSchema = z.object({
  strategy: strategySchema,
  /** Nodes of one tree (N). */
  nodes: z.number().int().min(1).max(100_000),
  /** Trials asked together in one tree (B). 1 is the sequential search; above it a batch is told in ask order. */
  batch: z.number().int().min(1).max(64),
  /** Node score: share of public tests passed, or 1 only when all pass. */
  score: z.enum(['fraction', 'all']),
  /** Which of several nodes with the best public score is the answer. */
  tie: z.enum(['earliest', 'latest']),
  /** Independent first attempts per problem and agent, apart from the tree, for Pass@1 and pass@k (0: none). */
  samplesPerAgent: z.number().int().min(0).max(1_000),
});
export type SearchOptions = z.infer<typeof searchOptionsSchema>;
