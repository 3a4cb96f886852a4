import { z } from 'zod';
import type { Outcome } from './folds/outcome';
import { savedWarningSchema } from './study';

const outcomeSchema = z.enum([
  'waiting',
  'searching',
  'grading',
  'solved',
  'found',
  'public-only',
  'unsolved',
] satisfies Outcome[]);

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

/** What lists, squares and tables show of one run. Each list has one entry per problem, in the order of the run. */
export const runOutcomesSchema = z.object({
  runId: z.string(),
  outcomes: z.array(outcomeSchema),
  /** Nodes of the search tree. */
  nodes: z.array(z.number().int().nonnegative()),
  /** Index of the first node that passes the private tests; -1: none does. */
  firstPassing: z.array(z.number().int().min(-1)),
  /** Trials without a node, recorded samples that ran out not among them. */
  failures: z.number().int().nonnegative(),
  /** As in a study's view; empty while the study runs: then its view has them. */
  warnings: z.array(savedWarningSchema),
  finished: z.boolean(),
  /** null: all of its journal could be read. */
  problem: journalProblemSchema.nullable(),
});
export type RunOutcomes = z.infer<typeof runOutcomesSchema>;

/** In the order of the study's runs. */
export const studyOutcomesSchema = z.object({ studyId: z.string(), runs: z.array(runOutcomesSchema) });
export type StudyOutcomes = z.infer<typeof studyOutcomesSchema>;
