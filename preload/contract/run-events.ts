import { z } from 'zod';
import { runConfigSchema } from './run';
import { gradeSchema, verdictSchema } from './verdict';

/** Version of the journal's form; a reader migrates older ones and refuses newer ones with a plain message. */
export const JOURNAL_VERSION = 1;

/** A problem has a search tree and, beside it, the independent samples (a tree of first attempts only). */
export const treePartSchema = z.enum(['search', 'samples']);
export type TreePart = z.infer<typeof treePartSchema>;

/** Milliseconds since the epoch. Never used in a metric or CSV. */
const at = z.number();
const where = { problemId: z.string(), part: treePartSchema };

export const runStartedSchema = z.object({
  kind: z.literal('run-started'),
  at,
  journalVersion: z.literal(JOURNAL_VERSION),
  appVersion: z.string(),
  /** Names generator and samplers (main/base/random). */
  randomVersion: z.string(),
  config: runConfigSchema,
});

export const nodeAddedSchema = z.object({
  kind: z.literal('node-added'),
  at,
  ...where,
  /** 0, 1, 2 ... in the order of recording within its tree. */
  index: z.number().int().nonnegative(),
  /** Ordinal of the trial that made it (failed trials have one too). */
  trial: z.number().int().nonnegative(),
  /** Index of the parent; -1 is the root. */
  parent: z.number().int().min(-1),
  agentId: z.string(),
  /** Public score in [0, 1]. */
  score: z.number().min(0).max(1),
  /** Verdict over the public tests, and one per test that was run. */
  publicVerdict: verdictSchema,
  publicVerdicts: z.array(verdictSchema),
  generationSeed: z.number().int().nonnegative(),
  /** First 16 hex digits of the program's SHA-256: equal programs can be told without reading them. */
  programDigest: z.string().nullable(),
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
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
    })
    .optional(),
});
export type NodeAdded = z.infer<typeof nodeAddedSchema>;

export const trialFailedSchema = z.object({
  kind: z.literal('trial-failed'),
  at,
  ...where,
  trial: z.number().int().nonnegative(),
  agentId: z.string(),
  /** exhausted: a recorded agent has no unused sample left; it is retired from this tree. */
  reason: z.enum(['exhausted', 'server', 'sandbox-fault']),
  message: z.string(),
});

export const nodeGradedSchema = z.object({
  kind: z.literal('node-graded'),
  at,
  ...where,
  index: z.number().int().nonnegative(),
  privateVerdict: verdictSchema,
  privateVerdicts: z.array(verdictSchema),
  detail: z.object({ privateGrade: gradeSchema }).optional(),
});
export type NodeGraded = z.infer<typeof nodeGradedSchema>;

/** No node will be added to this tree any more. */
export const treeSearchedSchema = z.object({
  kind: z.literal('tree-searched'),
  at,
  ...where,
  reason: z.enum(['budget', 'exhausted']),
});

/** All nodes of all trees are there and graded. */
export const runFinishedSchema = z.object({ kind: z.literal('run-finished'), at });

/** What the journal of a run holds, one a line; the one truth of which views, metrics and CSV are folds. */
export const runEventSchema = z.discriminatedUnion('kind', [
  runStartedSchema,
  nodeAddedSchema,
  trialFailedSchema,
  nodeGradedSchema,
  treeSearchedSchema,
  runFinishedSchema,
]);
export type RunEvent = z.infer<typeof runEventSchema>;
