import { z } from 'zod';

/** Weight of the exploration term of an upper confidence bound; the square root of two in treequest and in UCB1. */
const exploration = z.number().min(0).max(100).default(Math.SQRT2);
const selection = z.enum(['thompson', 'ucb', 'stack']);

/**
 * MARS²-T+'s dynamic depth-guided exploration (arXiv 2602.07848): at a node of depth d (the root: 0) the draw for a
 * fresh attempt is multiplied by gamma(d)^c, gamma(d) = max(floor, start - slope * d), where it is positive.
 */
export const depthGuidanceSchema = z.object({
  start: z.number().gt(0).max(1).default(0.98),
  slope: z.number().min(0).max(1).default(0.02),
  floor: z.number().gt(0).max(1).default(0.8),
  /** c. depth: nodes already recorded one level below in the whole tree; node: children of this node. */
  counter: z.enum(['depth', 'node']).default('depth'),
});
export type DepthGuidance = z.infer<typeof depthGuidanceSchema>;

/** How the next node is chosen. Sources and rules: main/search, each file at its head, and docs/search.md. */
export const strategySchema = z.discriminatedUnion('kind', [
  /** Repeated sampling (best-of-N): always a new program from the problem, agents in turn. */
  z.object({ kind: z.literal('repeated') }),
  /** Sequential refinement: one first attempt, then always a refinement of the newest program, agents in turn. */
  z.object({ kind: z.literal('refine') }),
  /** Standard MCTS (UCT): leaves are expanded with `samples` programs of every agent. */
  z.object({ kind: z.literal('mcts'), samples: z.number().int().min(1).max(64).default(2), exploration }),
  /** Best-first search: the best leaf is expanded with `samples` programs of every agent. */
  z.object({ kind: z.literal('best-first'), samples: z.number().int().min(1).max(64).default(2) }),
  /** Tree of Thoughts, breadth first: the `breadth` best leaves of the deepest level get `size` children each. */
  z.object({
    kind: z.literal('tot-bfs'),
    breadth: z.number().int().min(1).max(64).default(3),
    size: z.number().int().min(1).max(256).default(5),
  }),
  /** Multi-armed bandit over agents (UCB1): first attempts only. */
  z.object({ kind: z.literal('bandit-ucb'), exploration }),
  /** AB-MCTS-A (arXiv 2503.04412, as treequest implements it), with several agents; MARS²-T and T+ are made of it. */
  z.object({
    kind: z.literal('ab-mcts-a'),
    beliefs: z.enum(['gaussian', 'beta']),
    /** thompson and ucb choose the node first, then the agent; stack the agent first, then the node. */
    selection,
    /** null: none, which is plain AB-MCTS-A. */
    depthGuidance: depthGuidanceSchema.nullable().default(null),
  }),
  /** AB-MCTS-M: a mixed model over the subtrees of a node's children instead of one belief for each. */
  z.object({ kind: z.literal('ab-mcts-m'), selection, pruning: z.boolean().default(true) }),
]);
export type Strategy = z.infer<typeof strategySchema>;

/** Something that gives one number for a problem and a program: the larger, the better. */
export const rewardModelSchema = z.object({
  source: z.discriminatedUnion('kind', [
    /** POST {problem, program} gives {score}; `url` is the whole address. */
    z.object({ kind: z.literal('http'), url: z.url() }),
    /** A logistic model, trained on the graded candidates of the pocket training split. */
    z.object({ kind: z.literal('pocket'), seed: z.number().int().nonnegative() }),
  ]),
  /**
   * choice: among the nodes with the best public score the one with the largest reward is the answer. score: the
   * node's score is (1 - weight) * public score + weight * squashed reward, and so guides the search as well.
   */
  use: z.enum(['choice', 'score']),
  weight: z.number().min(0).max(1).default(0.2),
});
export type RewardModel = z.infer<typeof rewardModelSchema>;

/** Ends of one search tree, by recorded values: a replay ends it alike. null: none. */
export const treeLimitsSchema = z.object({
  /** N. */
  nodes: z.number().int().min(1).max(100_000),
  /** Prompt and completion tokens together. */
  tokens: z.number().int().positive().nullable(),
  /** Of writing and grading, added up over its nodes. */
  seconds: z.number().positive().nullable(),
});
export type TreeLimits = z.infer<typeof treeLimitsSchema>;

export const searchOptionsSchema = z.object({
  strategy: strategySchema,
  /** Nodes of one tree (N). */
  nodes: treeLimitsSchema.shape.nodes,
  /** Trials under way together in one tree (B). 1 is the sequential search. */
  batch: z.number().int().min(1).max(64),
  /**
   * asked: B expansions are requested together, and the search gets their results in the order of the requests when all
   * are done, so that the tree does not depend on timing. arrival: it gets each result when it arrives; not
   * reproducible.
   */
  order: z.enum(['asked', 'arrival']).default('asked'),
  /** Node score: share of public tests passed, or 1 only when all pass. */
  score: z.enum(['fraction', 'all']),
  /** Which of several nodes with the best public score is the answer. */
  tie: z.enum(['earliest', 'latest']),
  /** Independent first attempts per problem and agent, separate from the tree, for Pass@1 and pass@k (0: none). */
  samplesPerAgent: z.number().int().min(0).max(1_000),
  /**
   * What the prompt of a refinement contains about the earlier program's public tests. verdicts: passed or not, each; errors: the
   * first failure with its input, output and error text (MARS²-T+); marti: the released prompts of MARTI.
   */
  feedback: z.enum(['verdicts', 'errors', 'marti']).default('verdicts'),
  rewardModel: rewardModelSchema.nullable().default(null),
  /** Ends a tree with the first node that passes all public tests. */
  stopWhenSolved: z.boolean().default(false),
  /** Further ends of one tree. */
  treeBudget: treeLimitsSchema.omit({ nodes: true }).default({ tokens: null, seconds: null }),
  /**
   * Whose verdict counts where a published grader is wrong by accident: as-program is what a judge would say,
   * as-published what the benchmark's own grader says (docs/grading.md).
   */
  grading: z.enum(['as-program', 'as-published']).default('as-program'),
});
export type SearchOptions = z.infer<typeof searchOptionsSchema>;

const { shape } = searchOptionsSchema;
/** Where one row of a comparison searches differently. Defaults are taken off: what is left out is the study's. */
export const searchChangeSchema = z
  .strictObject({
    strategy: shape.strategy,
    score: shape.score,
    tie: shape.tie,
    feedback: shape.feedback.unwrap(),
    rewardModel: shape.rewardModel.unwrap(),
    nodes: shape.nodes,
    batch: shape.batch,
    order: shape.order.unwrap(),
    stopWhenSolved: shape.stopWhenSolved.unwrap(),
    treeBudget: shape.treeBudget.unwrap(),
  })
  .partial();
export type SearchChange = z.infer<typeof searchChangeSchema>;
