import { z } from 'zod';
import { optionPosteriorSchema } from '../decision';
import { nodeDetailSchema } from '../node-detail';
import { type RunEvent, treePartSchema } from '../run-events';
import { command } from './command';

const runId = z.string().min(1);

const nodeRefSchema = z.strictObject({
  runId,
  problemId: z.string(),
  part: treePartSchema,
  index: z.number().int().nonnegative(),
});

/** Events and nodes of a run. */
export const runCommands = {
  /**
   * All events of a run so far without their detail: the window folds them, then follows the live ones.
   * The journal's reader has parsed them; a second check of tens of thousands of events would only cost time.
   */
  'run.events': command(
    z.strictObject({
      runId,
      /** From this event on, at most this many; left out: all. */
      from: z.number().int().nonnegative().optional(),
      most: z.number().int().positive().optional(),
    }),
    z.array(z.custom<RunEvent>()),
  ),
  /**
   * Replaces a damaged journal with its readable part and keeps the damaged file next to it. Resuming the study then
   * searches again what is missing.
   */
  'run.repair': command(
    z.strictObject({ runId }),
    z.object({
      movedTo: z.string(),
      keptEvents: z.number().int(),
      /** Unreadable lines, and later events that had to be dropped with them. */
      lostLines: z.number().int(),
      leftOutEvents: z.number().int(),
    }),
  ),
  'node.read': command(nodeRefSchema, nodeDetailSchema),
  /**
   * The search's belief about each option of each decision that led to a node, in the order of the node's `why`; null:
   * none for that option. Computed by replaying the tree from its seed.
   */
  'node.posteriors': command(nodeRefSchema, z.array(z.array(optionPosteriorSchema.nullable()))),
};
