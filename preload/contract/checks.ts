import { z } from 'zod';
import { treePartSchema } from './run-events';
import { verdictSchema } from './verdict';

const node = {
  runId: z.string(),
  problemId: z.string(),
  part: treePartSchema,
  index: z.number().int().nonnegative(),
};

/** Do a study's journals replay: does every seed lead to the same nodes, by the same draws? */
export const verificationSchema = z.object({
  trees: z.number().int().nonnegative(),
  /** Nodes whose parent and agent were reproduced. */
  nodes: z.number().int().nonnegative(),
  /** Draws and bounds that were reproduced, to the last bit. */
  values: z.number().int().nonnegative(),
  /** Nodes of journals without draws (version 1): only their position was checked. */
  withoutDraws: z.number().int().nonnegative(),
  /** The first difference of each tree that does not replay. */
  mismatches: z.array(z.object({ ...node, difference: z.string() })),
});
export type Verification = z.infer<typeof verificationSchema>;

/** Private tests run again: a changed verdict is noise of the grader, or a changed machine. */
export const regradeSchema = z.object({
  graded: z.number().int().nonnegative(),
  changed: z.array(z.object({ ...node, before: verdictSchema, after: verdictSchema })),
  /** Programs on which the sandbox failed now. */
  faults: z.number().int().nonnegative(),
  /** How many of `graded` were of each run. */
  runs: z.array(z.object({ runId: z.string(), graded: z.number().int().nonnegative() })).optional(),
});
export type Regrade = z.infer<typeof regradeSchema>;
