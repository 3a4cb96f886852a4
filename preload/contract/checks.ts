import { z } from 'zod';
import { treePartSchema } from './run-events';
import { verdictSchema } from './verdict';

const node = {
  runId: z.string(),
  problemId: z.string(),
  part: treePartSchema,
  index: z.number().int().nonnegative(),
};

/** A verdict of a journal, and what its program gets now. */
const changedVerdictSchema = z.object({ ...node, before: verdictSchema, after: verdictSchema });

/** Private tests run again to prove the verdicts of a study's journals. */
const provenVerdictsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('graded'),
    /** Different programs of the study, and how many of them were graded. */
    programs: z.number().int().nonnegative(),
    graded: z.number().int().nonnegative(),
    /** Of the draw; null: all were graded. */
    seed: z.number().int().nonnegative().nullable(),
    /** How long it took. */
    seconds: z.number().nonnegative(),
    /** Programs on which the sandbox failed now. */
    faults: z.number().int().nonnegative(),
    /** Verdicts that none of three gradings gave. */
    changed: z.array(changedVerdictSchema),
  }),
  /** Nothing could be graded here, e.g. without the benchmark. */
  z.object({ kind: z.literal('unproven'), message: z.string(), hint: z.string().optional() }),
]);
export type ProvenVerdicts = z.infer<typeof provenVerdictsSchema>;

/** Do a study's journals replay: does every seed lead to the same nodes, by the same draws? Are their verdicts true? */
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
  /** null: no program was to be graded. */
  verdicts: provenVerdictsSchema.nullable(),
  /** The same of the re-grade that counts; null: the first grading counts, or no program was to be graded. */
  regraded: provenVerdictsSchema.nullable(),
});
export type Verification = z.infer<typeof verificationSchema>;

/** Private tests run again: a changed verdict is noise of the grader, or a changed machine. */
export const regradeSchema = z.object({
  graded: z.number().int().nonnegative(),
  /** Different programs of the study; left out by older versions. */
  programs: z.number().int().nonnegative().optional(),
  changed: z.array(changedVerdictSchema),
  /** Programs on which the sandbox failed now. */
  faults: z.number().int().nonnegative(),
  /** How many of `graded` were of each run. */
  runs: z.array(z.object({ runId: z.string(), graded: z.number().int().nonnegative() })).optional(),
});
export type Regrade = z.infer<typeof regradeSchema>;
