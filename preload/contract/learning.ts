import { z } from 'zod';
import { objectiveSchema } from './objective';

/** How the agents of a team learn (docs/training.md). The last two are controls of ours. */
export const trainingMethodSchema = z.enum([
  /** Not at all: evaluated as before training. */
  'base',
  /** Each agent alone; the group is independent first attempts. */
  'grpo',
  /** Each agent alone in its trees. */
  'rs2',
  /** Each agent's policy in two roles, which share trees and weights. */
  'homo-mars2',
  /** All agents share trees; independent weights, each learns from its own nodes. */
  'heter-mars2',
  /** grpo, but every sample of an all-wrong group has a negative advantage. */
  'grpo-all-wrong',
  /** Groups of first attempts by all agents together, without trees or refinement. */
  'mixed-groups',
]);
export type TrainingMethod = z.infer<typeof trainingMethodSchema>;

/** After the training, and where asked on the way: agents alone and as a team, on problems it never saw. */
export const learningEvaluationSchema = z.strictObject({
  /** 0: it is not evaluated at all. */
  problems: z.number().int().min(0).max(1_000).default(100),
  /** Nodes of each search tree (N). */
  nodes: z.number().int().min(1).max(1_000).default(60),
  /** Independent first attempts per problem and agent, for Pass@1. */
  samples: z.number().int().min(1).max(1_000).default(16),
  /** Also every this many updates of the first agent, Pass@1 only; 0: only at the end. */
  every: z.number().int().min(0).max(100_000).default(0),
});

/**
 * Trains only on problems that the untrained agents solve sometimes: one that is never or always solved teaches nothing.
 * Pass@1 of a problem is measured by independent first attempts, as in training, and is the mean over the agents.
 */
export const problemChoiceSchema = z
  .strictObject({
    /** Training problems to measure at most, drawn by the seed. */
    measured: z.number().int().min(2).max(2_000).default(200),
    /** First attempts per problem and agent. */
    samples: z.number().int().min(1).max(1_000).default(8),
    /** Problems with Pass@1 from here to there are kept, both included. */
    from: z.number().min(0).max(1).default(0.1),
    to: z.number().min(0).max(1).default(0.8),
  })
  .refine(({ from, to }) => from <= to, 'the least Pass@1 is above the greatest');
export type ProblemChoice = z.output<typeof problemChoiceSchema>;

/** The result of a choice: how many problems were measured and kept, and why the others were not. */
export const problemsKeptSchema = z.object({
  from: z.number(),
  to: z.number(),
  measured: z.number().int().nonnegative(),
  kept: z.number().int().nonnegative(),
  /** Not kept, and no first attempt passed. */
  neverSolved: z.number().int().nonnegative(),
  /** Solved, but less often than `from`. */
  below: z.number().int().nonnegative(),
  above: z.number().int().nonnegative(),
});
export type ProblemsKept = z.infer<typeof problemsKeptSchema>;

/** What the training loop needs to know, whatever kind of policy learns. */
export const learningSchema = z.strictObject({
  method: trainingMethodSchema,
  /** Of pre-training, problems, search and sampling. */
  seed: z.number().int().min(0).max(2_147_483_647).default(1),
  /** Optimiser steps of every agent. */
  updates: z.number().int().min(1).max(100_000).default(300),
  /** Samples of one step, all of the agent's own. */
  batch: z.number().int().min(2).max(65_536).default(128),
  treesPerRound: z.number().int().min(1).max(1_024).default(16),
  /** Nodes of a tree, which are one group. */
  nodes: z.number().int().min(2).max(256).default(8),
  /** Peak learning rate of Adam; cosine to a tenth of it, after 3 % of warm-up. */
  rate: z.number().gt(0).max(10),
  objective: objectiveSchema.default(() => objectiveSchema.parse({ shaping: {}, clip: {}, kl: {} })),
  /** false: trees have no refinements, every node is a first attempt. An ablation. */
  refinement: z.boolean().default(true),
  /** Updates between two checkpoints of an agent; the last is always kept. */
  checkpointEvery: z.number().int().min(1).max(100_000).default(100),
  evaluation: learningEvaluationSchema.default(() => learningEvaluationSchema.parse({})),
});
export type Learning = z.output<typeof learningSchema>;
