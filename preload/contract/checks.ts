import { z } from 'zod';
import { treePartSchema } from './run-events';
import { verdictSchema } from './verdict';

const place = {
  runId: z.string(),
  problemId: z.string(),
  part: treePartSchema,
  index: z.number().int().nonnegative(),
};

/** Does a study's journals replay: does every seed lead to the same node, by the same draws? */
export const verificationSchema = z.object({
  trees: z.number().int().nonnegative(),
  /** Nodes whose parent and agent were found again. */
  nodes: z.number().int().nonnegative(),
  /** Draws and bounds that were found again, to the last bit. */
  values: z.number().int().nonnegative(),
  /** Nodes of journals that tell no draws (version 1): only their place was checked. */
  withoutDraws: z.number().int().nonnegative(),
  /** The first of each tree that departs, in words. */
  mismatches: z.array(z.object({ ...place, what: z.string() })),
});
export type Verification = z.infer<typeof verificationSchema>;

/** Private tests run once more: what changed is the noise of the grader, or a changed machine. */
export const regradeSchema = z.object({
  graded: z.number().int().nonnegative(),
  changed: z.array(z.object({ ...place, before: verdictSchema, after: verdictSchema })),
  /** Programs on which the sandbox failed now. */
  faults: z.number().int().nonnegative(),
  /** How many of `graded` were of each run. */
  runs: z.array(z.object({ runId: z.string(), graded: z.number().int().nonnegative() })).optional(),
});
export type Regrade = z.infer<typeof regradeSchema>;
