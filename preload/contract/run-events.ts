import { z } from 'zod';
import { decisionSchema } from './decision';
import { runConfigSchema } from './run';
import { treeLimitsSchema } from './strategy';
import { gradeSchema, verdictSchema } from './verdict';

/**
 * Version of the journal's form; a reader refuses newer ones with a plain message. Version 1 lacks only what is
 * optional here (decisions, rewards, how an answer ended), so it is read as it is.
 */
export const JOURNAL_VERSION = 2;

/** A problem has a search tree and, separately, the independent samples (a tree of first attempts only). */
export const treePartSchema = z.enum(['search', 'samples']);
export type TreePart = z.infer<typeof treePartSchema>;

/** Milliseconds since the epoch. Never used in a metric or CSV. */
const at = z.number();
const problemPart = { problemId: z.string(), part: treePartSchema };

export const runStartedSchema = z.object({
  kind: z.literal('run-started'),
  at,
  journalVersion: z.union([z.literal(1), z.literal(JOURNAL_VERSION)]),
  appVersion: z.string(),
  /** Names generator and samplers (main/base/random). */
  randomVersion: z.string(),
  config: runConfigSchema,
  /** The grader of the candidates; `cpuFactor` stretches the CPU limits on a slow machine (1: none). */
  grader: z
    .object({
      python: z.string(),
      isolation: z.enum(['sandbox', 'none']),
      cpuFactor: z.number().positive(),
      /** Which Python that is, why it was chosen, and its packages, e.g. "numpy 2.4.6". Left out by older versions. */
      path: z.string().optional(),
      reason: z.string().optional(),
      packages: z.array(z.string()).optional(),
    })
    .optional(),
});

export const nodeAddedSchema = z.object({
  kind: z.literal('node-added'),
  at,
  ...problemPart,
  /** 0, 1, 2 ... in the order of recording within its tree. */
  index: z.number().int().nonnegative(),
  /** Ordinal of the trial that made it (failed trials have one too). */
  trial: z.number().int().nonnegative(),
  /** Index of the parent; -1 is the root. */
  parent: z.number().int().min(-1),
  agentId: z.string(),
  /** The score that the search received, in [0, 1]: the public score, or a mix of it and the reward. */
  score: z.number().min(0).max(1),
  /** What the reward model gave; left out without one. */
  reward: z.number().optional(),
  /** Verdict over the public tests, and one per test that was run. */
  publicVerdict: verdictSchema,
  publicVerdicts: z.array(verdictSchema),
  /** The package whose lack failed it (see `gradeSchema`). */
  missingPackage: z.string().optional(),
  generationSeed: z.number().int().nonnegative(),
  /** First 16 hex digits of the program's SHA-256: equal programs have equal digests. */
  programDigest: z.string().nullable(),
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
  /** How the answer ended; left out where the server did not say. */
  answerEnd: z.enum(['stop', 'length', 'empty']).optional(),
  generateMs: z.number().nonnegative(),
  gradeMs: z.number().nonnegative(),
  /** Left out of what is sent to the window; there on disk. */
  detail: z
    .object({
      answer: z.string(),
      program: z.string().nullable(),
      /** First 16 hex digits of the SHA-256 of the prompt's JSON; the prompt itself is made again from the tree. */
      promptDigest: z.string(),
      publicGrade: gradeSchema,
      /** Why this node, in the order of the questions; what a replay with the seed must find again. */
      why: z.array(decisionSchema).optional(),
    })
    .optional(),
});
export type NodeAdded = z.infer<typeof nodeAddedSchema>;

export const trialFailedSchema = z.object({
  kind: z.literal('trial-failed'),
  at,
  ...problemPart,
  trial: z.number().int().nonnegative(),
  agentId: z.string(),
  /**
   * exhausted: a recorded agent has no unused sample left; it is retired from this tree. no-refinement: a recorded
   * agent never refined this program; it is not asked again below this node. reward: the reward model failed.
   */
  reason: z.enum(['exhausted', 'no-refinement', 'server', 'sandbox-fault', 'grader-fault', 'reward']),
  /** Where it would have stood; left out by version 1. */
  parent: z.number().int().min(-1).optional(),
  message: z.string(),
});

export const nodeGradedSchema = z.object({
  kind: z.literal('node-graded'),
  at,
  ...problemPart,
  index: z.number().int().nonnegative(),
  privateVerdict: verdictSchema,
  privateVerdicts: z.array(verdictSchema),
  missingPackage: z.string().optional(),
  /** What the other reading of `search.grading` would say; left out where both agree. */
  otherVerdict: verdictSchema.optional(),
  detail: z.object({ privateGrade: gradeSchema }).optional(),
});
export type NodeGraded = z.infer<typeof nodeGradedSchema>;

/**
 * Why a tree ended. budget: all its nodes are there; exhausted: no agent had more to give; solved: a node passes
 * all public tests; tokens, seconds: the tree's further budgets.
 */
export const treeEndSchema = z.enum(['budget', 'exhausted', 'solved', 'tokens', 'seconds']);
export type TreeEnd = z.infer<typeof treeEndSchema>;

/** No node will be added to this tree any more. */
export const treeSearchedSchema = z.object({
  kind: z.literal('tree-searched'),
  at,
  ...problemPart,
  reason: treeEndSchema,
});

/**
 * The run's study was extended. Trees that had ended with their budget go on, unless they have as many nodes as that; what
 * stands before it was decided with the earlier budget, and a replay raises the budget where this event stands.
 */
export const runExtendedSchema = z.object({
  kind: z.literal('run-extended'),
  at,
  /** Nodes of one search tree up to here, and from here on; equal where only problems were added. */
  earlierNodes: z.number().int().positive(),
  nodes: z.number().int().positive(),
  /** Searched after those that the run had. */
  addedProblemIds: z.array(z.string()),
});
export type RunExtended = z.infer<typeof runExtendedSchema>;

/**
 * The limits of the run's search trees were changed, otherwise than to more nodes alone (`run-extended`). What stands
 * before it was decided with the earlier limits. Nodes behind a lower limit stay in the journal and do not count; a
 * tree that ended with a limit that is higher now continues.
 */
export const limitsChangedSchema = z.object({
  kind: z.literal('limits-changed'),
  at,
  /** Up to here, and from here on. */
  before: treeLimitsSchema,
  since: treeLimitsSchema,
});
export type LimitsChanged = z.infer<typeof limitsChangedSchema>;

/** All nodes of all trees are there and graded. */
export const runFinishedSchema = z.object({ kind: z.literal('run-finished'), at });

/** A line of a run's journal, the single source of truth: views, metrics and CSV are folds of these events. */
export const runEventSchema = z.discriminatedUnion('kind', [
  runStartedSchema,
  nodeAddedSchema,
  trialFailedSchema,
  nodeGradedSchema,
  treeSearchedSchema,
  runExtendedSchema,
  limitsChangedSchema,
  runFinishedSchema,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
